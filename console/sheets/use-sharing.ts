// The choices and actions of the dialog that prints and shares records. Contract 5 §4.
import { useEffect, useState } from 'preact/hooks'
import { DEFAULT_HOURS } from '../../src/product-sheets/rules/sheet-limits.ts'
import type { Endpoints } from '../api/types.ts'
import { type Saving, useSaving } from '../kit/acting.ts'
import { useConsole } from '../state/context.ts'
import type { SheetsPanelProps } from '../state/panel-props.ts'
import { PREFIX } from '../state/prefix.ts'
import { t } from '../words/place.ts'
import { language } from '../words/words.ts'

type Template = Endpoints['GET /api/v1/sheet-templates']['reply'][number]

type More = { readonly purpose: 'print' } | { readonly name: string; readonly hours: number }

/** Hours. */
export const DURATIONS = [1, 24, 7 * 24, DEFAULT_HOURS, 30 * 24, 90 * 24] as const
/** Milliseconds between two checks of the opened tab, and the most checks. */
const LOOK = 150
const LOOKS = 400

interface Choice {
  /** '': none. */
  readonly templateId: string
  readonly language: string
  readonly name: string
  readonly hours: string
}

export interface Sharing {
  readonly templates: readonly Template[]
  readonly choice: Choice
  readonly put: (changes: Partial<Choice>) => void
  /** The scope of the values; '' for all. */
  readonly scopeText: string
  readonly saving: Saving
  readonly open: (isPrinted: boolean) => void
  readonly makeLink: () => void
  /** Undefined: no link is made yet. */
  readonly made: { readonly address: string; readonly expiresAt: string } | undefined
}

export function useSharing({ selection, schemaId }: SheetsPanelProps): Sharing {
  const { call, cache, model, scope, browser } = useConsole()
  const saving = useSaving()
  const [templates, setTemplates] = useState<readonly Template[]>([])
  const [made, setMade] = useState<Sharing['made']>(undefined)
  const [choice, setChoice] = useState<Choice>({
    templateId: '',
    language: language.peek(),
    name: '',
    hours: String(DEFAULT_HOURS),
  })
  useEffect(() => {
    const load = async () => setTemplates((await call('GET /api/v1/sheet-templates')).body)
    void load().catch(() => undefined)
  }, [])
  const current = scope.current.value
  const content = () => ({
    ...('ids' in selection ? { recordIds: selection.ids } : { query: selection.query, except: selection.except ?? [] }),
    templateId: choice.templateId === '' ? null : choice.templateId,
    language: choice.language,
    scope: current,
  })
  const make = async (more: More) => (await call('POST /api/v1/sheet-links', { body: { ...content(), ...more } })).body
  return {
    templates: templates.filter((template) => template.schemaId === schemaId),
    choice,
    put: (changes) => setChoice({ ...choice, ...changes }),
    scopeText: model.scopeName(current),
    saving,
    made,
    open(isPrinted) {
      // The tab opens before anything is awaited, because browsers open tabs only during a click.
      const tab = window.open('', '_blank')
      void saving.act(async () => {
        if (tab === null) throw new Error(t('sheets.blocked'))
        try {
          const { url } = await make({ purpose: 'print' })
          tab.location.replace(`${PREFIX}/public/sheets/${url.split('/').at(-1)}`)
        } catch (error) {
          tab.close()
          throw error
        }
        if (isPrinted) printWhenLoaded(tab, (milliseconds, work) => browser.after(milliseconds, work))
      })
    },
    makeLink: () =>
      void saving.act(async () => {
        const { url, expiresAt } = await make({ name: choice.name, hours: Number(choice.hours) })
        setMade({ address: new URL(url, location.href).href, expiresAt })
        cache.refreshAll('sheets')
      }),
  }
}

function printWhenLoaded(tab: Window, after: (milliseconds: number, work: () => void) => unknown, looks = LOOKS): void {
  if (tab.closed || looks === 0) return
  const isLoaded = tab.location.pathname !== 'blank' && tab.document.readyState === 'complete'
  if (isLoaded) tab.print()
  else after(LOOK, () => printWhenLoaded(tab, after, looks - 1))
}
