// The foot of a list that is read page by page: the progress, and the button for the next page.
import type { PagedQuery } from '../state/paged-query.ts'
import { t } from '../words/words.ts'
import { useActing } from './acting.ts'
import { Button } from './button.tsx'

export function MoreButton({ paged }: { readonly paged: PagedQuery<unknown> }) {
  const { act } = useActing()
  const page = paged.query.data.value
  if (page?.next === undefined) return null
  return (
    <p class="row more">
      <Button isBusy={paged.isReadingMore} onClick={() => void act(paged.readMore)}>
        {t('showMore')}
      </Button>
      {page.total !== undefined && <span class="quiet">{t('of', { at: page.items.length, total: page.total })}</span>}
    </p>
  )
}
