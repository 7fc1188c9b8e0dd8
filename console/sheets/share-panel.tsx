// Prints records, or makes a link to them for people without an account. Contract 5 §4.
import type { SheetsPanelProps } from '../state/panel-props.ts'
import { MAX_RECORDS } from '../../src/product-sheets/rules/sheet-limits.ts'
import { Button, LinkButton } from '../kit/button.tsx'
import { CopyText } from '../kit/copy.tsx'
import { Dialog } from '../kit/dialog.tsx'
import { TextField } from '../kit/field.tsx'
import { SelectField } from '../kit/select-field.tsx'
import { ErrorBox } from '../kit/states.tsx'
import { writeAddress } from '../state/addresses.ts'
import { useConsole } from '../state/context.ts'
import { ownName } from '../words/languages.ts'
import { hinted, t } from '../words/place.ts'
import { moment } from '../words/words.ts'
import { DURATIONS, type Sharing, useSharing } from './use-sharing.ts'

export function SharePanel(props: SheetsPanelProps) {
  const sharing = useSharing(props)
  const { model } = useConsole()
  const isTooMany = props.count > MAX_RECORDS
  return (
    <Dialog guide="console#printing-and-sharing" title={t('sheets.title')} onClose={props.onClose}>
      <div class="form">
        <p class="quiet">{t('records', { count: props.count })}</p>
        {isTooMany && <p class="warning">{t('sheets.tooMany', { count: MAX_RECORDS })}</p>}
        <Content sharing={sharing} />
        {!isTooMany && <PrintButtons sharing={sharing} />}
        {!isTooMany && model.may('records.share') && <LinkMaker sharing={sharing} />}
        {sharing.saving.error !== undefined && <ErrorBox error={sharing.saving.error} />}
      </div>
    </Dialog>
  )
}

function Content({ sharing }: { readonly sharing: Sharing }) {
  const { browser } = useConsole()
  const { templates, choice, put, scopeText } = sharing
  return (
    <>
      {templates.length > 0 && (
        <SelectField
          {...hinted('sheets.template')}
          value={choice.templateId}
          choices={[{ id: '', name: t('sheets.noTemplate') }, ...templates.map(({ id, name }) => ({ id, name }))]}
          onChange={(templateId) => put({ templateId })}
        />
      )}
      <SelectField
        label={t('sheets.language')}
        value={choice.language}
        choices={browser.spoken.map((id) => ({ id, name: ownName(id) }))}
        hint={scopeText === '' ? undefined : t('sheets.values', { scope: scopeText })}
        onChange={(language) => put({ language })}
      />
      <div class="row">
        <LinkButton kind="quiet" icon="records" href={writeAddress({ place: 'sheets' })}>
          {t('place.sheets')}
        </LinkButton>
      </div>
    </>
  )
}

function PrintButtons({ sharing: { saving, open } }: { readonly sharing: Sharing }) {
  return (
    <>
      <div class="row">
        <Button kind="main" isBusy={saving.isBusy} onClick={() => open(true)}>
          {t('sheets.print')}
        </Button>
        <Button icon="external" isBusy={saving.isBusy} onClick={() => open(false)}>
          {t('sheets.open')}
        </Button>
      </div>
      <p class="hint">{t('sheets.openHelp')}</p>
    </>
  )
}

function LinkMaker({ sharing: { saving, choice, put, makeLink, made } }: { readonly sharing: Sharing }) {
  return (
    <section class="form share-link">
      <h3>{t('sheets.link')}</h3>
      {made === undefined ? (
        <>
          <p class="hint">{t('sheets.linkHelp')}</p>
          <TextField {...hinted('sheets.linkName')} value={choice.name} onInput={(name) => put({ name })} />
          <SelectField
            {...hinted('sheets.ends')}
            value={choice.hours}
            choices={DURATIONS.map((hours) => ({ id: String(hours), name: durationText(hours) }))}
            onChange={(hours) => put({ hours })}
          />
          <div class="row">
            <Button icon="link" isBusy={saving.isBusy} onClick={makeLink}>
              {t('sheets.makeLink')}
            </Button>
          </div>
        </>
      ) : (
        <div role="status">
          <p>{t('sheets.linkOnce', { moment: moment(made.expiresAt) })}</p>
          <p class="new-key">
            <CopyText text={made.address}>
              <code>{made.address}</code>
            </CopyText>
          </p>
        </div>
      )}
    </section>
  )
}

function durationText(hours: number): string {
  return hours < 24 ? t('sheets.hours', { count: hours }) : t('sheets.days', { count: hours / 24 })
}
