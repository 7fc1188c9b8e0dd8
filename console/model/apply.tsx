// Applies a change of the model: first shows its effect on stored records, then the button. A long change is a job of
// the server, which the footer shows. Contract 3 §2, 3 §11.
import { useEffect, useState } from 'preact/hooks'
import { useSaving } from '../kit/acting.ts'
import { Dialog, DialogFoot } from '../kit/dialog.tsx'
import { Icon } from '../kit/icon.tsx'
import { ErrorBox, LoadingLine } from '../kit/states.tsx'
import { writeAddress } from '../state/addresses.ts'
import { useConsole } from '../state/context.ts'
import type { Job } from '../state/jobs.ts'
import { t } from '../words/place.ts'
import { number } from '../words/words.ts'
import { droppedValues, dropsValues, isRefused, type ModelEffects, type Sentence, sentencesOf } from './effects.ts'

export interface Change {
  readonly preview: () => Promise<ModelEffects>
  /** @param dropValues whether values that no longer fit are removed. Resolves with the job of a long change */
  readonly apply: (dropValues: boolean) => Promise<Job | undefined>
  /** Called after the change is applied, or its job is over. */
  readonly onDone: () => void
}

export function ApplyDialog({ change, onClose }: { readonly change: Change; readonly onClose: () => void }) {
  const { jobs, model, cache, status } = useConsole()
  const [effects, setEffects] = useState<ModelEffects | undefined>(undefined)
  const { isBusy, error, act } = useSaving()
  useEffect(() => void act(async () => setEffects(await change.preview())), [])
  const renew = async () => {
    await model.load()
    cache.refreshAll('')
  }
  const apply = (dropValues: boolean) =>
    act(async () => {
      const job = await change.apply(dropValues)
      change.onDone()
      onClose()
      if (job === undefined) {
        status.tell(t('model.applied'))
        await renew()
        return
      }
      status.tell(t('model.asJob'))
      jobs.watch(job, () => void renew())
    })
  const removes = effects !== undefined && dropsValues(effects)
  return (
    <Dialog guide="console#schemas" title={t('model.effects')} onClose={onClose}>
      <LoadingLine isBusy={isBusy} />
      {effects !== undefined && <Effects effects={effects} />}
      {error !== undefined && <ErrorBox error={error} />}
      <DialogFoot
        kind={removes ? 'bad' : 'main'}
        action={removes ? t('model.applyDrop', { count: droppedValues(effects) }) : t('apply')}
        isBusy={isBusy}
        closedBecause={effects === undefined ? t('model.effectsFirst') : undefined}
        onClick={() => void apply(removes)}
        onClose={onClose}
      />
    </Dialog>
  )
}

function Effects({ effects }: { readonly effects: ModelEffects }) {
  const sentences = sentencesOf(effects)
  return (
    <>
      {sentences.length === 0 && <p>{t('model.noEffect')}</p>}
      <ul class="effects">
        {sentences.map((sentence) => (
          <EffectLine
            key={`${sentence.word} ${sentence.schemaId} ${JSON.stringify(sentence.about)}`}
            sentence={sentence}
          />
        ))}
      </ul>
      {isRefused(effects) && <p class="warning">{t('model.refused')}</p>}
    </>
  )
}

const ICONS = { bad: 'bad', wait: 'wait', good: 'good' } as const

function EffectLine({ sentence }: { readonly sentence: Sentence }) {
  const { model } = useConsole()
  const { word, tone, count, values, schemaId, about, examples } = sentence
  const workflowId = model.schema(schemaId)?.workflowId ?? ''
  const name =
    'alias' in about ? model.attributeName(schemaId, about.alias) : model.stateName(workflowId, about.stateId)
  return (
    <li>
      <span class={tone}>
        <Icon name={ICONS[tone]} />
      </span>
      <span class="grow" dir="auto">
        {t(word, { count, values: number(values), name })}
        {examples.length > 0 && (
          <span class="examples">
            {examples.map((id) => (
              <a key={id} href={writeAddress({ place: 'records', id })}>
                {id}
              </a>
            ))}
          </span>
        )}
      </span>
    </li>
  )
}
