// An empty workspace: three ways to begin. Contract 5 §1.
import type { ComponentChildren } from 'preact'
import { useActing } from '../kit/acting.ts'
import { Button, LinkButton } from '../kit/button.tsx'
import { Icon } from '../kit/icon.tsx'
import type { IconName } from '../kit/icons.ts'
import { Empty } from '../kit/states.tsx'
import { writeAddress } from '../state/addresses.ts'
import { useConsole } from '../state/context.ts'
import { newKey } from '../state/new-key.ts'
import { t } from '../words/place.ts'
import { FileDrop } from './file-drop.tsx'
import { TemplateList } from './template-list.tsx'
import { useUpload } from './use-upload.ts'

export function Welcome() {
  const { model } = useConsole()
  const isEmpty = model.schemas.value.length === 0
  if (!model.may('model.write'))
    return (
      <Empty icon="model" title={t('start.title')}>
        <p>{t('start.notYou')}</p>
      </Empty>
    )
  return (
    <div class="page welcome">
      {isEmpty && <p class="welcome-lead">{t('start.lead')}</p>}
      {model.may('records.create') && model.may('records.update') && <FromFile />}
      {model.may('categories.write') && (
        <Way icon="model" title={t('start.template')} help={t('start.templateHelp')}>
          <TemplateList />
        </Way>
      )}
      {model.may('users.manage') && isEmpty && <Demo />}
      <p class="quiet">
        {t('start.byHand')}{' '}
        <LinkButton kind="quiet" href={writeAddress({ place: 'dimensions', query: { new: '1' } })}>
          {t('start.addDimension')}
        </LinkButton>{' '}
        <LinkButton kind="quiet" href={writeAddress({ place: 'schemas', query: { new: '1' } })}>
          {t('start.addSchema')}
        </LinkButton>
      </p>
    </div>
  )
}

function Way(props: {
  readonly icon: IconName
  readonly title: string
  readonly help: string
  readonly children: ComponentChildren
}) {
  return (
    <section class="way">
      <h2>
        <Icon name={props.icon} />
        {props.title}
      </h2>
      <p class="quiet">{props.help}</p>
      {props.children}
    </section>
  )
}

function FromFile() {
  const upload = useUpload({ schema: 'new' })
  return (
    <Way icon="imports" title={t('start.file')} help={t('start.fileHelp')}>
      <FileDrop upload={upload} />
    </Way>
  )
}

function Demo() {
  const { call, jobs, offline, router } = useConsole()
  const { isBusy, act } = useActing()
  const load = () =>
    act(async () => {
      const idempotencyKey = newKey()
      const { body: job } = await offline.write(() => call('POST /api/v1/demo', { idempotencyKey }))
      jobs.watch(job)
      router.go({ place: 'imports', id: job.importId ?? '' })
    })
  return (
    <Way icon="records" title={t('start.demo')} help={t('start.demoHelp')}>
      <div class="row">
        <Button isBusy={isBusy} onClick={load}>
          {t('start.demoLoad')}
        </Button>
      </div>
    </Way>
  )
}
