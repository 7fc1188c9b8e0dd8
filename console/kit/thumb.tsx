// A thumbnail of a record. The page releases the picture when the thumbnail disappears.
import { useEffect, useRef, useState } from 'preact/hooks'
import { useConsole } from '../state/context.ts'
import type { Picture } from '../state/pictures.ts'

interface ThumbProps {
  readonly picture: Pick<Picture, 'recordId' | 'sha256'>
  /** A chosen file with this content, which no record names yet. */
  readonly content?: Blob | undefined
  readonly preset?: string
  /** Default: none, because a text beside the picture names it. */
  readonly alt?: string
}

/** The address of a picture that was read. */
interface Loaded {
  readonly key: string
  readonly url: string
  /** True until the address is released. */
  isLive: boolean
}

export function Thumb({ picture, content, preset = 'thumb', alt = '' }: ThumbProps) {
  const { thumbs } = useConsole()
  const { recordId, sha256 } = picture
  const key = `${recordId} ${sha256} ${preset} ${content === undefined}`
  const [loaded, setLoaded] = useState<Loaded>({ key: '', url: '', isLive: false })
  // The last image, which may still read its address after it has left the page.
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
  // The place is empty at first, for another picture and for one that returns.
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

/** Releases an address, after the image has read it. */
function letGo(url: string, image: HTMLImageElement | undefined): void {
  const revoke = (): void => URL.revokeObjectURL(url)
  if (image === undefined || image.complete) return revoke()
  for (const end of ['load', 'error']) image.addEventListener(end, revoke, { once: true })
}
