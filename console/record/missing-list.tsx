// The values that the record lacks for its next state; each links to its field. R2.
import { useState } from 'preact/hooks'
import { Icon } from '../kit/icon.tsx'
import { useConsole } from '../state/context.ts'
import type { Scope } from '../../src/core/scopes/scope.ts'
import type { MissingField } from '../../src/core/records/rules/completeness.ts'
import { t } from '../words/place.ts'
import { byAttribute, countMissing, shortScopes } from './missing.ts'
import { useRecord } from './use-record.ts'

const SHOWN_ATTRIBUTES = 60
const SHOWN_SCOPES = 4

export function MissingList() {
  const { model } = useConsole()
  const { form, schema } = useRecord()
  const { missing } = form.score.value
  const state = model.stateName(schema.workflowId, form.stateId.value)
  const count = useMissingCount()(missing)
  // A narrow page begins with the list folded, so that the first field is in view.
  const [isOpen, setOpen] = useState(false)
  const isComplete = missing.length === 0
  return (
    <section class={isOpen || isComplete ? 'missing-list open' : 'missing-list'} aria-label={t('record.missing')}>
      <h2>
        {t('record.missing')} <span class="count">{count}</span>
        {!isComplete && (
          <button
            type="button"
            class="disclosure"
            aria-expanded={isOpen}
            aria-label={t('record.missing')}
            onClick={() => setOpen(!isOpen)}
          >
            <Icon name={isOpen ? 'down' : 'right'} />
          </button>
        )}
      </h2>
      <p class="quiet" dir="auto">
        {isComplete ? t('home.complete', { state }) : t('record.missingFor', { state })}
      </p>
      <MissingFields missing={missing} />
    </section>
  )
}

/** Counts values as the list below names them. */
export function useMissingCount(): (missing: readonly MissingField[]) => number {
  const workspace = useConsole().model.workspace.value
  const { schema } = useRecord()
  return (missing) => (workspace === null ? missing.length : countMissing(missing, schema, workspace.model))
}

export function MissingFields({ missing }: { readonly missing: readonly MissingField[] }) {
  const { model } = useConsole()
  const { form, schema } = useRecord()
  const workspace = model.workspace.value
  const attributes = byAttribute(missing)
  if (attributes.length === 0 || workspace === null) return null
  return (
    <ul>
      {attributes.slice(0, SHOWN_ATTRIBUTES).map(({ alias, scopes }) => {
        const dimensionIds = schema.rules.attribute(alias)?.dimensionIds ?? []
        const short = shortScopes(scopes, dimensionIds, workspace.model)
        return (
          <li key={alias}>
            <span dir="auto" class="missing-name">
              {model.attributeName(schema.id, alias)}
            </span>
            {short.slice(0, SHOWN_SCOPES).map((scope) => (
              <GoTo key={JSON.stringify(scope)} alias={alias} scope={scope} onGo={() => form.goTo({ alias, scope })} />
            ))}
            {short.length > SHOWN_SCOPES && (
              <span class="quiet">{t('record.more', { count: short.length - SHOWN_SCOPES })}</span>
            )}
          </li>
        )
      })}
      {attributes.length > SHOWN_ATTRIBUTES && (
        <li class="quiet">{t('record.more', { count: attributes.length - SHOWN_ATTRIBUTES })}</li>
      )}
    </ul>
  )
}

function GoTo({ alias, scope, onGo }: { readonly alias: string; readonly scope: Scope; readonly onGo: () => void }) {
  const { model } = useConsole()
  const { schema } = useRecord()
  const where = model.scopeName(scope) || t('everywhere')
  const name = model.attributeName(schema.id, alias)
  return (
    <button type="button" class="go-to" aria-label={t('record.goTo', { name, scope: where })} onClick={onGo}>
      {where}
    </button>
  )
}
