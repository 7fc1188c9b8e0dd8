// Beside the form: the completeness of each combination, and the feeds that contain the record. R9.
import { useState } from 'preact/hooks'
import { Button } from '../kit/button.tsx'
import { Icon } from '../kit/icon.tsx'
import { Shown } from '../kit/states.tsx'
import type { Endpoints } from '../api/types.ts'
import { useConsole } from '../state/context.ts'
import { t } from '../words/place.ts'
import { percent } from '../words/words.ts'
import { useRecord, useRecordQuery } from './use-record.ts'

const SHOWN = 12

/** The completeness of each combination, the least complete first; each links to its scope. */
export function Combinations() {
  const { call, model, scope } = useConsole()
  const { form } = useRecord()
  const [isWhole, setWhole] = useState(false)
  const id = form.recordId
  const stateId = form.stateId.value
  const query = useRecordQuery(`combinations ${stateId}`, async (signal) => {
    const asked = { stateId, by: 'combination' as const }
    return (await call('GET /api/v1/records/:id/completeness', { params: { id }, query: asked, signal })).body
  })
  const all = query.data.value?.combinations ?? []
  if (all.length < 2) return null
  const sorted = all.toSorted((one, other) => one.percentage - other.percentage)
  return (
    <section aria-label={t('record.combinations')}>
      <h2>{t('record.combinations')}</h2>
      <Shown query={query}>
        {() => (
          <ul class="combinations">
            {(isWhole ? sorted : sorted.slice(0, SHOWN)).map((score) => (
              <li key={JSON.stringify(score.scope)}>
                <button type="button" class="go-to" onClick={() => scope.set(score.scope)}>
                  <span class="grow" dir="auto">
                    {model.scopeName(score.scope)}
                  </span>
                  <Meter percentage={score.percentage} />
                  <span class="number">
                    {score.filled}/{score.total}
                  </span>
                </button>
              </li>
            ))}
          </ul>
        )}
      </Shown>
      {all.length > SHOWN && !isWhole && (
        <Button kind="quiet" onClick={() => setWhole(true)}>
          {t('record.more', { count: all.length - SHOWN })}
        </Button>
      )}
    </section>
  )
}

export function Meter({ percentage }: { readonly percentage: number }) {
  return (
    <span class={percentage === 100 ? 'meter full' : 'meter'} role="img" aria-label={percent(percentage)}>
      <span style={{ width: `${percentage}%` }} />
    </span>
  )
}

export function Feeds() {
  const { model } = useConsole()
  const [isOpen, setOpen] = useState(false)
  if (!model.may('exportJobs.read')) return null
  return (
    <section aria-label={t('record.feeds')}>
      <h2>
        <button type="button" class="disclosure" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          <Icon name={isOpen ? 'down' : 'right'} />
          {t('record.feeds')}
        </button>
      </h2>
      {isOpen && <FeedList />}
    </section>
  )
}

type Inclusion = Endpoints['GET /api/v1/records/:id/exports']['reply'][number]

function FeedList() {
  const { call } = useConsole()
  const { form } = useRecord()
  const id = form.recordId
  const query = useRecordQuery(
    'exports',
    async (signal) => (await call('GET /api/v1/records/:id/exports', { params: { id }, signal })).body,
  )
  return (
    <Shown query={query}>
      {(feeds) =>
        feeds.length === 0 ? (
          <p class="hint">{t('record.noFeeds')}</p>
        ) : (
          <ul class="feeds">
            {feeds.map((feed) => (
              <Feed key={feed.jobId} feed={feed} />
            ))}
          </ul>
        )
      }
    </Shown>
  )
}

function Feed({ feed }: { readonly feed: Inclusion }) {
  return (
    <li>
      <Icon name={feed.included ? 'good' : 'bad'} />
      <div class="grow">
        <span dir="auto">{feed.name}</span>
        <span class="quiet"> {t(feed.included ? 'record.inFeed' : 'record.notInFeed')}</span>
        {feed.reasons
          .filter(({ met }) => !met)
          .map(({ rule, expected, actual }) => (
            <p key={rule} class="quiet" dir="auto">
              {t(`record.rule.${rule}`, { expected: said(expected), actual: said(actual) })}
            </p>
          ))}
      </div>
    </li>
  )
}

const MOST = 200

function said(value: unknown): string {
  if (value === null || value === undefined) return t('none')
  const text = Array.isArray(value)
    ? value.map(String).join(', ')
    : typeof value === 'string'
      ? value
      : JSON.stringify(value)
  return text === '' ? t('none') : text.slice(0, MOST)
}
