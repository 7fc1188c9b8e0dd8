// Chooses one or several options from many (ARIA Combobox with a listbox). The typed text narrows the list, or searches
// for options.
import { useEffect, useId, useMemo, useRef, useState } from 'preact/hooks'
import { t } from '../words/words.ts'
import { matchOptions, type Option, stepIn } from './choices.ts'
import { Chip } from './chips.tsx'
import type { FieldInput } from './field.tsx'
import { Icon } from './icon.tsx'
import { usePopup } from './popup.ts'
import { Thumb } from './thumb.tsx'

interface Choosing {
  /** All options, or a function that searches by the typed text. */
  readonly options: readonly Option[] | ((text: string, signal: AbortSignal) => Promise<readonly Option[]>)
  readonly placeholder?: string
  /** The input of a surrounding `Field`; otherwise `label` is the name. */
  readonly input?: FieldInput
  readonly label?: string
  readonly isReadOnly?: boolean
  /** The list opens with the surrounding popover, and Escape closes both. */
  readonly isOpenAtFirst?: boolean
}

export interface ComboboxProps extends Choosing {
  readonly value: Option | null
  readonly onChange: (value: Option | null) => void
}

export function Combobox({ value, onChange, ...choosing }: ComboboxProps) {
  return (
    <div class="combobox">
      <ChoiceInput
        {...choosing}
        shown={value?.name ?? ''}
        chosen={value === null ? [] : [value.id]}
        onChoose={onChange}
        onClear={() => value !== null && onChange(null)}
      />
    </div>
  )
}

interface MultiComboboxProps extends Choosing {
  readonly values: readonly Option[]
  readonly onChange: (values: readonly Option[]) => void
}

/** Several values, as chips in their order; Backspace in the empty field removes the last chip. */
export function MultiCombobox({ values, onChange, ...choosing }: MultiComboboxProps) {
  const without = (id: string) => values.filter((value) => value.id !== id)
  return (
    <div class="combobox several">
      {values.map((value) => (
        <Chip key={value.id} name={value.name} onRemove={() => onChange(without(value.id))} />
      ))}
      <ChoiceInput
        {...choosing}
        shown=""
        chosen={values.map(({ id }) => id)}
        onChoose={(option) =>
          onChange(values.some(({ id }) => id === option.id) ? without(option.id) : [...values, option])
        }
        onClear={() => onChange(values.slice(0, -1))}
      />
    </div>
  )
}

interface ChoiceInputProps extends Choosing {
  /** The text of the field while nobody types. */
  readonly shown: string
  readonly chosen: readonly string[]
  readonly onChoose: (option: Option) => void
  /** Called by Backspace, or when the field is emptied. */
  readonly onClear: () => void
}

function ChoiceInput(props: ChoiceInputProps) {
  const id = useId()
  const field = useRef<HTMLInputElement>(null)
  const { typed, isOpen, at, found, isBusy, open, close, choose, onKeyDown, onInput } = useChoosing(id, props)
  return (
    <>
      <input
        {...props.input}
        ref={field}
        role="combobox"
        aria-label={props.label}
        aria-expanded={isOpen}
        aria-controls={`${id}-list`}
        aria-autocomplete="list"
        aria-activedescendant={isOpen && at >= 0 ? `${id}-${at}` : undefined}
        autocomplete="off"
        spellcheck={false}
        dir="auto"
        readOnly={props.isReadOnly}
        placeholder={props.placeholder ?? t('choose')}
        value={typed ?? props.shown}
        onInput={(event) => onInput(event.currentTarget.value)}
        // Typed text replaces the shown choice.
        onFocus={(event) => event.currentTarget.select()}
        onClick={(event) => {
          if (!isOpen) event.currentTarget.select()
          open()
        }}
        onKeyDown={onKeyDown}
        onBlur={close}
      />
      <Icon name="down" />
      {isOpen && (
        <Choices
          id={id}
          anchor={() => field.current?.closest('.combobox') ?? null}
          found={found}
          chosen={props.chosen}
          at={at}
          isBusy={isBusy}
          none={t(typed || typeof props.options !== 'function' ? 'nothingFound' : 'typeToFind')}
          choose={choose}
        />
      )}
    </>
  )
}

/** The typed text, the marked option, and the keys. */
function useChoosing(
  id: string,
  { options, shown, chosen, onChoose, onClear, isReadOnly, isOpenAtFirst }: ChoiceInputProps,
) {
  const [typed, setTyped] = useState<string | undefined>(undefined)
  const [isOpen, setOpen] = useState(false)
  const [at, setAt] = useState(-1)
  const { found, isBusy } = useOptions(options, isOpen ? (typed ?? '') : undefined)
  const open = () => isReadOnly !== true && setOpen(true)
  // Later: the popover around it is not in its place yet.
  useEffect(() => setOpen(isOpenAtFirst === true), [])
  const close = () => {
    setOpen(false)
    setTyped(undefined)
    setAt(-1)
  }
  const choose = (option: Option) => {
    onChoose(option)
    close()
  }
  useEffect(() => {
    if (at >= 0) document.querySelector(`#${CSS.escape(`${id}-${at}`)}`)?.scrollIntoView({ block: 'nearest' })
  }, [at])
  // While the search runs, the list may still belong to a shorter text.
  const option = isBusy ? undefined : found[at]
  /** Returns whether the key is used. */
  const takeKey = (key: string): boolean => {
    const to = stepIn(key, at, found.length)
    if (to !== undefined) setAt(to)
    else if (key === 'Enter') {
      // A text without an option submits no form.
      if (!isOpen || !(typed || at >= 0)) return false
      if (option !== undefined) choose(option)
    } else if (key === 'Escape') {
      if (!isOpen || isOpenAtFirst === true) return false
      close()
    } else if (isOpen || (key !== 'ArrowDown' && key !== 'ArrowUp')) return false
    else open()
    return true
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const { key, isComposing } = event
    if (isComposing) return
    // Tab chooses the marked option, so that no typed text is lost.
    if (key === 'Tab' && typed && option !== undefined && !chosen.includes(option.id)) choose(option)
    else if (key === 'Backspace' && (typed ?? shown) === '') onClear()
    else if (takeKey(key)) {
      event.preventDefault()
      event.stopPropagation()
    }
  }
  const onInput = (text: string) => {
    setTyped(text)
    setAt(text === '' ? -1 : 0)
    open()
    if (text === '' && shown !== '') onClear()
  }
  return { typed, isOpen, at, found, isBusy, open, close, choose, onKeyDown, onInput }
}

interface ChoicesProps {
  readonly id: string
  readonly anchor: () => Element | null
  readonly found: readonly Option[]
  readonly chosen: readonly string[]
  readonly at: number
  readonly isBusy: boolean
  /** Stands in place of an empty list. */
  readonly none: string
  readonly choose: (option: Option) => void
}

function Choices({ id, anchor, found, chosen, at, isBusy, none, choose }: ChoicesProps) {
  const popup = usePopup(anchor, found)
  return (
    <div {...popup} class="popup" popover="manual">
      <div id={`${id}-list`} class="listbox" role="listbox" aria-label={t('choices')} aria-busy={isBusy}>
        {found.map((option, index) => (
          <div
            key={option.id}
            id={`${id}-${index}`}
            role="option"
            aria-selected={chosen.includes(option.id)}
            class={index === at ? 'active' : undefined}
            // Runs before the field loses the focus, which would close the list.
            onMouseDown={(event) => {
              event.preventDefault()
              choose(option)
            }}
          >
            <span class="mark">{chosen.includes(option.id) && <Icon name="check" />}</span>
            {option.picture && <Thumb picture={option.picture} />}
            <span class="grow" dir="auto">
              {option.name}
            </span>
            {option.detail !== undefined && <span class="quiet">{option.detail}</span>}
          </div>
        ))}
      </div>
      {found.length === 0 && <div class="hint">{isBusy ? t('searching') : none}</div>}
    </div>
  )
}

const ASKING = 150

/** @param text undefined: no search */
function useOptions(options: Choosing['options'], text: string | undefined) {
  const [answer, setAnswer] = useState<readonly Option[]>([])
  const [isBusy, setBusy] = useState(false)
  const ask = useRef(options)
  ask.current = options
  const isAsked = typeof options === 'function' && text !== undefined
  useEffect(() => {
    const find = ask.current
    if (typeof find !== 'function' || text === undefined) return undefined
    const stop = new AbortController()
    setBusy(true)
    const timer = window.setTimeout(() => {
      void find(text, stop.signal)
        .catch(() => [])
        .then((found) => {
          if (stop.signal.aborted) return
          setAnswer(found)
          setBusy(false)
        })
    }, ASKING)
    return () => {
      window.clearTimeout(timer)
      stop.abort()
    }
  }, [isAsked, text])
  const matched = useMemo(
    () => (typeof options === 'function' || text === undefined ? [] : matchOptions(options, text)),
    [options, text],
  )
  return typeof options === 'function' ? { found: answer, isBusy } : { found: matched, isBusy: false }
}
