// A list that is read page by page and follows changes: a text if it is empty, its items, the next page.
import type { ComponentChildren } from 'preact'
import { LinkButton } from '../kit/button.tsx'
import type { IconName } from '../kit/icons.ts'
import { MoreButton } from '../kit/more-button.tsx'
import { Empty, Shown } from '../kit/states.tsx'
import { writeAddress } from '../state/addresses.ts'
import type { PagedQuery } from '../state/paged-query.ts'

interface None {
  readonly icon: IconName
  readonly title: string
  readonly help: string
  /** The place where people continue, and the words of its link. */
  readonly next: readonly [place: string, words: string]
}

export function PagedList<Item>(props: {
  readonly paged: PagedQuery<Item>
  /** Shown instead of an empty list. */
  readonly none: None
  readonly children: (items: readonly Item[]) => ComponentChildren
}) {
  return (
    <Shown query={props.paged.query} isLive>
      {({ items }) => (
        <>
          {items.length === 0 ? <Nothing {...props.none} /> : props.children(items)}
          <MoreButton paged={props.paged} />
        </>
      )}
    </Shown>
  )
}

function Nothing({ icon, title, help, next: [place, words] }: None) {
  return (
    <Empty icon={icon} title={title} action={<LinkButton href={writeAddress({ place })}>{words}</LinkButton>}>
      <p>{help}</p>
    </Empty>
  )
}
