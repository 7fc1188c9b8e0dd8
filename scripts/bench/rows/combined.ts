// Searches by several criteria that must all hold, against what their most selective criterion takes alone.
import { timeSearch } from '../search-times.ts'
import { milliseconds, type Row } from '../table.ts'
import type { Workspace } from '../workspace.ts'

const BAR = 2
/** Milliseconds that may be spent on each record of the most selective set. */
const PER_RECORD = 0.003

interface Criterion {
  readonly attributeAlias: string
  readonly operator: string
  readonly value?: string
  readonly scope?: Readonly<Record<string, string>>
}

interface Combination {
  readonly name: string
  readonly criteria: readonly Criterion[]
}

const equals: Criterion = { attributeAlias: 'manufacturer', operator: 'equals' }
const english = { language: 'en' }

/** `option`: one that some thousands of records have; `word`, `other`: texts that many records have. */
function combinations({ option, word, other }: { option: string; word: string; other: string }): Combination[] {
  const ofOption = { ...equals, value: option }
  const most: Criterion = { attributeAlias: 'stock', operator: 'gt', value: '10000' }
  const few: Criterion = { attributeAlias: 'stock', operator: 'gt', value: '99000' }
  const recent: Criterion = { attributeAlias: 'productionYear', operator: 'lt', value: '2000' }
  const frequent: Criterion = { attributeAlias: 'description', operator: 'contains', value: word }
  const frequentToo: Criterion = { attributeAlias: 'description', operator: 'contains', value: other }
  const isEmpty: Criterion = { attributeAlias: 'stock', operator: 'isEmpty' }
  const notEquals: Criterion = { ...ofOption, operator: 'notEquals' }
  const isNew: Criterion = { attributeAlias: 'bodyStyle', operator: 'isNotEmpty' }
  return [
    { name: 'equals and gt (90 %)', criteria: [ofOption, most] },
    { name: 'equals and gt (1 %)', criteria: [ofOption, few] },
    { name: 'equals, gt and lt', criteria: [ofOption, most, recent] },
    { name: 'equals and a frequent contains', criteria: [ofOption, frequent] },
    {
      name: 'equals and a frequent contains, with a scope',
      criteria: [
        { ...ofOption, scope: {} },
        { ...frequent, scope: english },
      ],
    },
    { name: 'contains and contains', criteria: [frequent, frequentToo] },
    { name: 'notEquals and gt (1 %)', criteria: [notEquals, few] },
    { name: 'isEmpty without a hit, and equals', criteria: [isEmpty, ofOption] },
    { name: 'isNotEmpty and lt', criteria: [isNew, recent] },
  ]
}

export async function measureCombined(workspace: Workspace): Promise<Row[]> {
  const rows: Row[] = []
  for (const { name, criteria } of combinations(chooseValues(workspace))) {
    const alone = []
    for (const criterion of criteria) alone.push(await measure(workspace, [criterion]))
    const least = alone.toSorted((one, another) => one.hits - another.hits)[0]!
    const together = await measure(workspace, criteria)
    const allowed = least.time + PER_RECORD * least.hits
    const ratio = together.time / allowed
    rows.push({
      name: `search by ${name} (${together.hits} hits), \`limit\` 50 with total, p50; reference: its most selective criterion alone (${least.hits} hits, ${milliseconds(least.time)}) and 3 µs for each of its hits`,
      pimlet: milliseconds(together.time),
      reference: milliseconds(allowed),
      ratio,
      bar: `≤ ${BAR} ×`,
      isHeld: ratio <= BAR,
    })
  }
  return rows
}

async function measure(workspace: Workspace, criteria: readonly Criterion[]): Promise<{ time: number; hits: number }> {
  const { time, headers } = await timeSearch(workspace, { criteria })
  return { time, hits: Number(headers.get('x-total-count')) }
}

export function chooseValues({ files }: Workspace): { option: string; word: string; other: string } {
  const db = files.openBoth()
  try {
    const option = db
      .prepare(
        `SELECT key FROM idx.value WHERE attribute = (SELECT n FROM idx.attribute WHERE alias = 'manufacturer')
          GROUP BY key ORDER BY abs(count(*) - 2000) LIMIT 1`,
      )
      .pluck()
      .get() as string
    const words = frequentWords(db.prepare('SELECT c0 FROM idx.text_content LIMIT 500').pluck().all() as string[])
    return { option, word: words[0]!, other: words[1]! }
  } finally {
    db.close()
  }
}

/** Long words that most of the texts have, the most frequent first. */
function frequentWords(texts: readonly string[]): string[] {
  const counts = new Map<string, number>()
  for (const text of texts)
    for (const word of new Set(text.match(/\p{L}{5,}/gu) ?? [])) counts.set(word, (counts.get(word) ?? 0) + 1)
  return [...counts].sort(([, one], [, other]) => other - one).map(([word]) => word)
}
