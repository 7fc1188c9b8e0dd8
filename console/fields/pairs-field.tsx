// A list of text pairs: a row for each pair, and an empty row for the next.
import { useState } from 'preact/hooks'
import { Button } from '../kit/button.tsx'
import { t } from '../words/place.ts'

type Pair = readonly [from: string, to: string]

export function PairsField(props: {
  readonly label: string
  readonly hint?: string
  readonly pairs: Readonly<Record<string, string>>
  /** Shown in the empty row. Default: words for a text in the file, and its new text. */
  readonly example?: Pair
  readonly onChange: (pairs: Readonly<Record<string, string>>) => void
}) {
  const { example = [t('pairs.fromShort'), t('pairs.toShort')] } = props
  // Keeps the typed rows: while the user types, two keys may be equal.
  const [typed, setTyped] = useState<readonly Pair[]>(Object.entries(props.pairs))
  const put = (pairs: readonly Pair[]) => {
    const kept = pairs.filter(([from, to]) => from !== '' || to !== '')
    setTyped(kept)
    props.onChange(Object.fromEntries(kept.filter(([from]) => from !== '')))
  }
  const rows: readonly Pair[] = [...typed, ['', '']]
  return (
    <div class="pairs" role="group" aria-label={props.label}>
      <span class="quiet">{props.label}</span>
      {props.hint !== undefined && <p class="hint">{props.hint}</p>}
      {rows.map(([from, to], index) => (
        <div key={index} class="pair">
          <input
            aria-label={t('pairs.from', { at: index + 1 })}
            placeholder={example[0]}
            dir="auto"
            // The browser refuses a row without its first text, which could not be saved.
            required={to !== ''}
            value={from}
            onInput={(event) => put(rows.with(index, [event.currentTarget.value, to]))}
          />
          <span aria-hidden="true">→</span>
          <input
            aria-label={t('pairs.to', { at: index + 1 })}
            placeholder={example[1]}
            dir="auto"
            value={to}
            onInput={(event) => put(rows.with(index, [from, event.currentTarget.value]))}
          />
          <Button
            kind="quiet"
            icon="delete"
            label={t('remove', { name: from === '' ? String(index + 1) : from })}
            closedBecause={index === typed.length ? t('pairs.last') : undefined}
            onClick={() => put(typed.toSpliced(index, 1))}
          />
        </div>
      ))}
    </div>
  )
}
