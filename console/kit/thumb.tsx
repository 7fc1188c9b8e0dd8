// A thumbnail of a record. Until it has loaded, its place has the mean colour of the picture. The page lets go of the
// picture when the place is gone.
import { useEffect, useState } from 'preact/hooks'
import { useConsole } from '../state/context.ts'
import type { Picture } from '../state/pictures.ts'

interface ThumbProps {
  readonly picture: Pick<Picture, 'recordId' | 'sha256' | 'thumbhash'>
  /** A chosen file with this content, which no record names yet. */
  readonly content?: Blob | undefined
  readonly preset?: string
  /** Default: none, since a text beside the picture names it. */
  readonly alt?: string
}

export function Thumb(props: ThumbProps) {
  const { picture, content, preset = 'thumb' } = props
  // The place of another picture begins empty.
  return <ThumbPlace key={`${picture.recordId} ${picture.sha256} ${preset} ${content === undefined}`} {...props} />
}

function ThumbPlace({ picture, content, preset = 'thumb', alt = '' }: ThumbProps) {
  const { thumbs } = useConsole()
  const [url, setUrl] = useState<string | undefined>(undefined)
  const { recordId, sha256, thumbhash } = picture
  useEffect(() => {
    let made: string | undefined
    const show = (shown: Blob): void => setUrl((made = URL.createObjectURL(shown)))
    const release = content === undefined ? thumbs.want({ recordId, sha256, preset }, show) : show(content)
    return () => {
      release?.()
      if (made !== undefined) URL.revokeObjectURL(made)
    }
  }, [])
  const isEmpty = url === undefined
  return (
    <span class="thumb" style={isEmpty && thumbhash !== null ? { backgroundColor: meanColour(thumbhash) } : {}}>
      {!isEmpty && <img src={url} alt={alt} decoding="async" onError={() => setUrl(undefined)} />}
    </span>
  )
}

/** The first three bytes of a thumbhash are the mean colour: lightness, yellow against blue, red against green. */
export function meanColour(thumbhash: string): string | undefined {
  const [first = 0, second = 0, third = 0] = Array.from(atob(thumbhash), (letter) => letter.charCodeAt(0))
  const bits = first | (second << 8) | (third << 16)
  const [light, yellow, red] = [(bits & 63) / 63, ((bits >> 6) & 63) / 31.5 - 1, ((bits >> 12) & 63) / 31.5 - 1]
  const blue = light - (2 / 3) * yellow
  const r = (3 * light - blue + red) / 2
  const shares = [r, r - red, blue].map((share) => Math.round(Math.min(1, Math.max(0, share)) * 255))
  return `rgb(${shares.join(' ')})`
}
