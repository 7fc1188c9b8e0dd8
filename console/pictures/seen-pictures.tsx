// The pictures of a list that the role may only read: each leads to its record.
import { Thumb } from '../kit/thumb.tsx'
import { writeAddress } from '../state/addresses.ts'
import { t } from '../words/place.ts'
import type { KnownPicture, KnownPictures } from './known-pictures.ts'
import { type LabelSource, usePictureLabel } from './picture-label.ts'

interface SeenPicturesProps extends LabelSource {
  readonly ids: readonly string[]
  readonly known: KnownPictures
}

export function SeenPictures({ ids, known, pictures }: SeenPicturesProps) {
  const labelOf = usePictureLabel({ pictures })
  const byId = known.byId.value
  return (
    <ol class="pictures">
      {ids.map((id, at) => (
        <li key={id}>
          <a
            href={writeAddress({ place: 'records', id })}
            aria-label={t('gallery.item', { at: at + 1, count: ids.length, name: labelOf(byId.get(id), id) })}
          >
            <PictureThumb id={id} picture={byId.get(id)} />
          </a>
        </li>
      ))}
    </ol>
  )
}

/** The thumbnail; the ID for a record without a file that the role may read. */
export function PictureThumb({ id, picture }: { readonly id: string; readonly picture: KnownPicture | undefined }) {
  if (picture?.file === undefined) return <span class="no-picture">{id}</span>
  const { sha256 } = picture.file
  return <Thumb picture={{ recordId: id, sha256 }} />
}
