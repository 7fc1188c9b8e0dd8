// The command line: every available command, and every record, by name.
import { useEffect, useId, useState } from 'preact/hooks'
import { stepIn } from '../kit/choices.ts'
import { Dialog } from '../kit/dialog.tsx'
import { Icon } from '../kit/icon.tsx'
import { Thumb } from '../kit/thumb.tsx'
import type { Command, FoundCommand } from '../state/commands.ts'
import { useConsole } from '../state/context.ts'
import { Kbd } from '../kit/kbd.tsx'
import { keyText } from '../state/keys.ts'
import type { Picture } from '../state/pictures.ts'
import { t } from '../words/words.ts'

interface Line {
  readonly id: string
  readonly title: string
  readonly detail: string
  readonly picture?: Picture | null | undefined
  readonly keys: string | undefined
  readonly closedBecause: string | undefined
  readonly run: () => void
}

const SHOWN = 50

export function CommandLine({ onClose }: { readonly onClose: () => void }) {
  const { browser, commands } = useConsole()
  const id = useId()
  const [text, setText] = useState('')
  const [at, setAt] = useState(0)
  const [found, isBusy] = useFound(text)
  const lines = [...commands.find(text).map((command) => lineOf(command, browser.isMac)), ...found.map(lineOfFound)]
  const shown = lines.slice(0, SHOWN)
  const run = (line: Line | undefined) => {
    if (line === undefined || line.closedBecause !== undefined) return
    onClose()
    // Runs after the dialog has returned the focus, because the command may move it.
    window.setTimeout(line.run)
  }
  useEffect(() => {
    document.querySelector(`#${CSS.escape(`${id}-${at}`)}`)?.scrollIntoView({ block: 'nearest' })
  }, [at])
  return (
    <Dialog title={t('commands.title')} class="command-line" onClose={onClose}>
      <input
        type="text"
        role="combobox"
        aria-label={t('commands.placeholder')}
        placeholder={t('commands.placeholder')}
        aria-expanded="true"
        aria-controls={`${id}-list`}
        aria-activedescendant={shown[at] === undefined ? undefined : `${id}-${at}`}
        autocomplete="off"
        spellcheck={false}
        dir="auto"
        value={text}
        onInput={(event) => {
          setText(event.currentTarget.value)
          setAt(0)
        }}
        onKeyDown={(event) => {
          const to = stepIn(event.key, at, shown.length)
          if (event.isComposing || (to === undefined && event.key !== 'Enter')) return
          event.preventDefault()
          if (to === undefined) run(shown[at])
          else setAt(to)
        }}
      />
      <div id={`${id}-list`} class="listbox" role="listbox" aria-label={t('commands.title')} aria-busy={isBusy}>
        {shown.map((line, index) => (
          <div
            key={line.id}
            id={`${id}-${index}`}
            role="option"
            aria-selected={index === at}
            aria-disabled={line.closedBecause === undefined ? undefined : 'true'}
            class={index === at ? 'active' : undefined}
            onMouseDown={(event) => event.preventDefault()}
            onClick={() => run(line)}
          >
            {line.picture && <Thumb picture={line.picture} />}
            <span class="grow" dir="auto">
              {line.title}
            </span>
            <span class="quiet">{line.closedBecause ?? line.detail}</span>
            {line.keys !== undefined && <Kbd keys={line.keys} />}
          </div>
        ))}
      </div>
      {shown.length === 0 && (
        <p class="hint">
          <Icon name="search" /> {isBusy ? t('searching') : t('commands.none')}
        </p>
      )}
    </Dialog>
  )
}

function lineOf(command: Command, isMac: boolean): Line {
  return {
    id: command.id,
    title: command.title(),
    detail: '',
    keys: command.keys === undefined ? undefined : keyText(command.keys, isMac),
    closedBecause: command.closedBecause?.(),
    run: command.run,
  }
}

function lineOfFound({ id, title, detail, picture, run }: FoundCommand): Line {
  return { id, title, detail, picture, keys: undefined, closedBecause: undefined, run }
}

const ASKING = 150

function useFound(text: string): [readonly FoundCommand[], boolean] {
  const { commands } = useConsole()
  const [found, setFound] = useState<readonly FoundCommand[]>([])
  const [isBusy, setBusy] = useState(false)
  useEffect(() => {
    const stop = new AbortController()
    setBusy(text !== '')
    const timer = window.setTimeout(() => {
      void commands.findMore(text, stop.signal).then((more) => {
        if (stop.signal.aborted) return
        setFound(more)
        setBusy(false)
      })
    }, ASKING)
    return () => {
      window.clearTimeout(timer)
      stop.abort()
    }
  }, [text])
  return [found, isBusy]
}
