// Searches by several criteria that must all match, compared with their most selective criterion alone.
import { SCHEMA_ID } from '../catalogue.ts'
import { httpRequest, runLoad } from '../load.ts'
import { API_KEY, startReference } from '../processes.ts'
import { timeSearch } from '../search-times.ts'
import { median } from '../statistics.ts'
import { milliseconds, perSecond, type Row } from '../table.ts'
import type { Workspace } from '../workspace.ts'

const BAR = 2
/** Most milliseconds for each record of the most selective set. */
const PER_RECORD = 0.003
const CONNECTIONS = 16
const ROUNDS = 3
const MILLISECONDS = 2500
const TOGETHER_BAR = 0.4
/** One in a hundred records has a greater `stock`. */
const FEW = '99000'

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

/**
 * @param option that some thousands of records have
 * @param word in texts of many records
 * @param other likewise
 */
export function combinations({ option, word, other }: { option: string; word: string; other: string }): Combination[] {
  const ofOption = { ...equals, value: option }
  const most: Criterion = { attributeAlias: 'stock', operator: 'gt', value: '10000' }
  const few: Criterion = { attributeAlias: 'stock', operator: 'gt', value: FEW }
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
  const rows: Row[] = [await measureTogether(workspace)]
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

/** Runs many searches at once, compared with a bare server with the same SQL. */
async function measureTogether(workspace: Workspace): Promise<Row> {
  const { option } = chooseValues(workspace)
  const criteria = [
    { ...equals, value: option },
    { attributeAlias: 'stock', operator: 'gt', value: FEW },
  ]
  const body = JSON.stringify({ schemaId: SCHEMA_ID, criteria, criteriaOperator: 'and', limit: 50 })
  const request = httpRequest('POST', '/api/v1/search', API_KEY, body)
  const { databaseFile, indexFile } = workspace.files
  const reference = await startReference('search-server', databaseFile, indexFile, option, FEW)
  try {
    const ask = ({ port }: { readonly port: number }) =>
      runLoad({ port, connections: CONNECTIONS, nextRequest: () => request, milliseconds: MILLISECONDS })
    const rounds = []
    for (let round = 0; round < ROUNDS; round += 1)
      rounds.push({ pimlet: await ask(workspace.server), bare: await ask(reference) })
    const ratio = median(rounds.map(({ pimlet, bare }) => pimlet.perSecond / bare.perSecond))
    return {
      name: `search by equals and gt (1 %) at ${CONNECTIONS} connections, \`limit\` 50 with total; reference: node:http + better-sqlite3 with the same SQL`,
      pimlet: perSecond(median(rounds.map(({ pimlet }) => pimlet.perSecond))),
      reference: perSecond(median(rounds.map(({ bare }) => bare.perSecond))),
      ratio,
      bar: `≥ ${TOGETHER_BAR}`,
      isHeld: ratio >= TOGETHER_BAR,
    }
  } finally {
    await reference.stop()
  }
}

async function measure(workspace: Workspace, criteria: readonly Criterion[]): Promise<{ time: number; hits: number }> {
  const { time, headers } = await timeSearch(workspace, (number) => ({ criteria: criteria.map(asOther(number)) }))
  return { time, hits: Number(headers.get('x-total-count')) }
}

/** Finds the same records by another bound, since a server keeps the results of the latest searches. */
const asOther =
  (number: number) =>
  (criterion: Criterion): Criterion =>
    criterion.operator === 'gt' ? { ...criterion, value: `${criterion.value}.${number}` } : criterion

export function chooseValues({ files }: { readonly files: Pick<Workspace['files'], 'openBoth'> }): {
  option: string
  word: string
  other: string
} {
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

/** Returns long words of most texts, most frequent first. */
function frequentWords(texts: readonly string[]): string[] {
  const counts = new Map<string, number>()
  for (const text of texts)
    for (const word of new Set(text.match(/\p{L}{5,}/gu) ?? [])) counts.set(word, (counts.get(word) ?? 0) + 1)
  return [...counts].sort(([, one], [, other]) => other - one).map(([word]) => word)
}
