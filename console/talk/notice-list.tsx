// Notices, newest first. Opening a notice marks it as read.
import { useEffect, useState } from 'preact/hooks'
import { useActing } from '../kit/acting.ts'
import { Ago } from '../kit/ago.tsx'
import { Button } from '../kit/button.tsx'
import { Segmented } from '../kit/chips.tsx'
import { Icon } from '../kit/icon.tsx'
import type { IconName } from '../kit/icons.ts'
import { MoreButton } from '../kit/more-button.tsx'
import { Empty, Shown } from '../kit/states.tsx'
import type { Endpoints } from '../api/types.ts'
import { writeAddress } from '../state/addresses.ts'
import { useConsole } from '../state/context.ts'
import { usePagedQuery } from '../state/paged-query.ts'
import { t } from '../words/place.ts'
import { useRecordLabels } from '../kit/record-labels.ts'

type NoticeBody = Endpoints['GET /api/v1/notices']['reply']['items'][number]

const PAGE = 50
const KEY = 'notices'

export function NoticeList() {
  const { call, live } = useConsole()
  const [isAll, setAll] = useState(false)
  const paged = usePagedQuery<NoticeBody>(`${KEY} ${isAll}`, async (after, signal) => {
    const query = { unread: !isAll, limit: PAGE, after }
    const answer = await call('GET /api/v1/notices', { query, signal })
    return { items: answer.body.items, total: undefined, next: answer.next }
  })
  const unread = live.unread.value
  useEffect(() => {
    if (paged.query.data.peek() !== undefined) void paged.query.refresh()
  }, [unread])
  const items = paged.query.data.value?.items ?? []
  const labelOf = useRecordLabels(items.map(({ recordId }) => recordId))
  return (
    <>
      <div class="row talk-head">
        <Segmented
          label={t('talk.show')}
          value={isAll ? 'all' : 'unread'}
          choices={[
            { id: 'unread', name: t('forMe.unread') },
            { id: 'all', name: t('talk.all') },
          ]}
          onChange={(shown) => setAll(shown === 'all')}
        />
        <span class="grow" />
        <a href={writeAddress({ place: 'account' })}>{t('forMe.choose')}</a>
        <ReadAll isClosed={items.every(({ read }) => read)} />
      </div>
      <Shown query={paged.query} isLive>
        {(page) => (
          <>
            {page.items.length === 0 ? (
              <Empty icon="good" title={t(isAll ? 'forMe.noNotices' : 'forMe.nothingNew')} />
            ) : (
              <ul class="notices">
                {page.items.map((notice) => (
                  <NoticeLine key={notice.id} notice={notice} labelOf={labelOf} />
                ))}
              </ul>
            )}
            <MoreButton paged={paged} />
          </>
        )}
      </Shown>
    </>
  )
}

function ReadAll({ isClosed }: { readonly isClosed: boolean }) {
  const { isBusy, act } = useActing()
  const read = useReading()
  if (isClosed) return null
  return (
    <Button icon="check" isBusy={isBusy} onClick={() => void act(() => read(undefined))}>
      {t('forMe.readAll')}
    </Button>
  )
}

/** Marks notices as read; undefined: all. */
function useReading(): (ids: readonly string[] | undefined) => Promise<void> {
  const { call, cache, live } = useConsole()
  return async (ids) => {
    const { body } = await call('POST /api/v1/notices/read', { body: ids === undefined ? {} : { ids: [...ids] } })
    live.noteUnread(body.unread)
    cache.refreshAll(KEY)
  }
}

const ICONS: Readonly<Record<NoticeBody['kind'], IconName>> = {
  mention: 'account',
  reply: 'hook',
  comment: 'edit',
  assignment: 'pin',
  dueTomorrow: 'wait',
  overdue: 'bad',
  exportFailed: 'bad',
  importEnded: 'imports',
}

interface LineProps {
  readonly notice: NoticeBody
  readonly labelOf: (id: string) => string | undefined
}

function NoticeLine({ notice, labelOf }: LineProps) {
  const { act } = useActing()
  const read = useReading()
  const { id, kind, recordId, createdAt } = notice
  const label = recordId === null ? undefined : (labelOf(recordId) ?? recordId)
  const mark = () => void act(() => read([id]))
  return (
    <li class={notice.read ? 'notice' : 'notice unread'}>
      <Icon name={ICONS[kind]} />
      <div class="grow">
        <a href={addressOf(notice)} dir="auto" onClick={notice.read ? undefined : mark}>
          {textOf(notice)}
        </a>
        {label !== undefined && (
          <p class="quiet" dir="auto">
            {label}
          </p>
        )}
      </div>
      <span class="quiet">
        <Ago at={createdAt} />
      </span>
      {!notice.read && <Button kind="quiet" icon="check" label={t('forMe.markRead')} onClick={mark} />}
    </li>
  )
}

function textOf({ kind, actor, count }: NoticeBody): string {
  const name = actor?.name ?? actor?.id ?? ''
  if (kind === 'assignment') return t('notice.assignment', { name, count: count ?? 1 })
  if (kind === 'dueTomorrow' || kind === 'overdue') return t(`notice.${kind}`, { count: count ?? 1 })
  if (kind === 'exportFailed' || kind === 'importEnded') return t(`notice.${kind}`)
  return t(`notice.${kind}`, { name })
}

function addressOf({ recordId, exportJobId, exportRunId, importId }: NoticeBody): string {
  if (recordId !== null) return writeAddress({ place: 'records', id: recordId, query: { tab: 'comments' } })
  if (exportJobId !== null)
    return writeAddress({ place: 'exports', id: exportJobId, query: exportRunId === null ? {} : { run: exportRunId } })
  if (importId !== null) return writeAddress({ place: 'imports', id: importId })
  return writeAddress({ place: 'for-me', query: { tab: 'mine' } })
}
