// A list that is read page by page and follows changes: a text if it is empty, its items, the next page.
import type { ComponentChildren, VNode } from 'preact'
import type { PagedQuery } from '../state/paged-query.ts'
import { MoreButton } from '../kit/more-button.tsx'
import { Shown } from '../kit/states.tsx'

export function PagedList<Item>(props: {
  readonly paged: PagedQuery<Item>
  readonly empty: VNode
  readonly children: (items: readonly Item[]) => ComponentChildren
}) {
  return (
    <Shown query={props.paged.query} isLive>
      {({ items }) => (
        <>
          {items.length === 0 ? props.empty : props.children(items)}
          <MoreButton paged={props.paged} />
        </>
      )}
    </Shown>
  )
}
