// A thumbnail of a record. The page lets go of the picture when its place is gone.
import { useEffect, useRef, useState } from 'preact/hooks'
import { useConsole } from '../state/context.ts'
import type { Picture } from '../state/pictures.ts'

interface ThumbProps {
  readonly picture: Pick<Picture, 'recordId' | 'sha256'>
  /** A chosen file with this content, which no record names yet. */
  readonly content?: Blob | undefined
  readonly preset?: string
  /** Default: none, since a text beside the picture names it. */
  readonly alt?: string
}

/** The address of a picture that was read. */
interface Loaded {
  readonly key: string
  readonly url: string
  /** Until the address is let go of. */
  isLive: boolean
}

export function Thumb({ picture, content, preset = 'thumb', alt = '' }: ThumbProps) {
  const { thumbs } = useConsole()
  const { recordId, sha256 } = picture
  const key = `${recordId} ${sha256} ${preset} ${content === undefined}`
  const [loaded, setLoaded] = useState<Loaded>({ key: '', url: '', isLive: false })
  // The last image: one that has left the page may still be reading its address.
  const image = useRef<HTMLImageElement | undefined>(undefined)
  useEffect(() => {
    let made: Loaded | undefined
    const show = (shown: Blob): void => setLoaded((made = { key, url: URL.createObjectURL(shown), isLive: true }))
    const release = content === undefined ? thumbs.want({ recordId, sha256, preset }, show) : show(content)
    return () => {
      release?.()
      if (made === undefined) return
      made.isLive = false
      letGo(made.url, shownOf(image.current, made.url))
    }
  }, [key])
  // The place of another picture begins empty, and so does the place to which a picture returns.
  const url = loaded.key === key && loaded.isLive ? loaded.url : ''
  return (
    <span class="thumb">
      {url !== '' && (
        <img
          ref={(element) => void (image.current = element ?? image.current)}
          src={url}
          alt={alt}
          decoding="async"
          onError={() => setLoaded({ key, url: '', isLive: false })}
        />
      )}
    </span>
  )
}

function shownOf(image: HTMLImageElement | undefined, url: string): HTMLImageElement | undefined {
  return image?.src === url ? image : undefined
}

/** An image that is still being read needs its address until then. */
function letGo(url: string, image: HTMLImageElement | undefined): void {
  const revoke = (): void => URL.revokeObjectURL(url)
  if (image === undefined || image.complete) return revoke()
  for (const end of ['load', 'error']) image.addEventListener(end, revoke, { once: true })
}
