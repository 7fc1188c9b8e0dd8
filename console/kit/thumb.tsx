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

export function Thumb({ picture, content, preset = 'thumb', alt = '' }: ThumbProps) {
  const { thumbs } = useConsole()
  const { recordId, sha256 } = picture
  const key = `${recordId} ${sha256} ${preset} ${content === undefined}`
  const [loaded, setLoaded] = useState({ key: '', url: '' })
  // The last image: one that has left the page may still be reading its address.
  const image = useRef<HTMLImageElement | undefined>(undefined)
  useEffect(() => {
    let url = ''
    const show = (shown: Blob): void => setLoaded({ key, url: (url = URL.createObjectURL(shown)) })
    const release = content === undefined ? thumbs.want({ recordId, sha256, preset }, show) : show(content)
    return () => {
      release?.()
      if (url !== '') letGo(url, shownOf(image.current, url))
    }
  }, [key])
  // The place of another picture begins empty.
  const url = loaded.key === key ? loaded.url : ''
  return (
    <span class="thumb">
      {url !== '' && (
        <img
          ref={(element) => void (image.current = element ?? image.current)}
          src={url}
          alt={alt}
          decoding="async"
          onError={() => setLoaded({ key, url: '' })}
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
