// The state of a composer: its text, its mentions, and the menu of people.
import type { RefObject } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { useConsole } from '../state/context.ts'
import { begunMention, type Mention, toStored, withMention } from './mention-text.ts'

export interface Reader extends Mention {
  readonly username: string
}

interface Composing {
  readonly recordId: string
  readonly attributeAlias: string | null
  readonly text: string
  readonly mentions: readonly Mention[]
}

const ASKING = 150

/** @param field of the text */
export function useComposer(
  field: RefObject<HTMLTextAreaElement | null>,
  { recordId, attributeAlias, ...first }: Composing,
) {
  const [text, setText] = useState(first.text)
  const [mentions, setMentions] = useState(first.mentions)
  const [cursor, setCursor] = useState<number | undefined>(undefined)
  const [at, setAt] = useState(0)
  const begun = cursor === undefined ? undefined : begunMention(text, cursor, mentions)
  const found = useReaders(recordId, attributeAlias, begun?.query)
  const put = (written: string, place: number) => {
    setText(written)
    setCursor(place)
    setAt(0)
  }
  const choose = ({ id, name }: Reader) => {
    if (begun === undefined) return
    const next = withMention(text, begun, name)
    setMentions((known) => [...known.filter((one) => one.id !== id && one.name !== name), { id, name }])
    setText(next.text)
    setCursor(undefined)
    field.current!.value = next.text
    field.current!.focus()
    field.current!.setSelectionRange(next.cursor, next.cursor)
  }
  return {
    text,
    found,
    at,
    setAt,
    isChoosing: begun !== undefined && found.length > 0,
    put,
    choose,
    close: () => setCursor(undefined),
    clear: () => {
      put('', 0)
      setCursor(undefined)
    },
    stored: () => toStored(text, mentions),
  }
}

/** @param query undefined: no people are requested */
function useReaders(recordId: string, attributeAlias: string | null, query: string | undefined): readonly Reader[] {
  const { call } = useConsole()
  const [found, setFound] = useState<readonly Reader[]>([])
  useEffect(() => {
    if (query === undefined) return setFound([])
    const stop = new AbortController()
    const timer = window.setTimeout(() => {
      const asked = { text: query, attributeAlias: attributeAlias ?? undefined }
      void call('GET /api/v1/records/:id/readers', { params: { id: recordId }, query: asked, signal: stop.signal })
        .then(({ body }) => setFound(body.items))
        .catch(() => undefined)
    }, ASKING)
    return () => {
      window.clearTimeout(timer)
      stop.abort()
    }
  }, [recordId, attributeAlias, query])
  return found
}
