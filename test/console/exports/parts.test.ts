// The pure parts of the exports' screens: a destination's form, next runs, bars, and failures in plain words.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { fieldOfMessage, fieldsOf, missingFields, titleOf } from '../../../console/exports/config-fields.ts'
import { configToSend, isKept, withField } from '../../../console/kit/config.ts'
import { type FeedColumn, sourceOf, withSource } from '../../../console/exports/feed-columns.ts'
import { failureKind } from '../../../console/jobs/failure-kinds.ts'
import {
  bodyOf,
  draftOf,
  type ExportJob,
  type ExportRun,
  newJob,
  withDestination,
} from '../../../console/exports/job-draft.ts'
import { byteText, durationText } from '../../../console/fields/measures.ts'
import { barsByJob, runningOf } from '../../../console/exports/run-bars.ts'
import { nextRuns } from '../../../console/exports/schedule-texts.ts'

const SFTP = {
  type: 'sftp',
  configSchema: {
    type: 'object',
    properties: {
      host: { type: 'string', description: 'Name or `address`.' },
      port: { type: 'integer' },
      username: { type: 'string' },
      method: { enum: ['POST', 'PUT'] },
      headers: { type: 'object', additionalProperties: { type: 'string' } },
      password: { type: 'string', maxLength: 1024 },
      privateKey: { type: 'string', maxLength: 32_768 },
      hostKeySha256: { type: 'string' },
      acceptAnyHostKey: { type: 'boolean' },
    },
    required: ['username', 'host'],
  },
  secrets: ['password', 'privateKey', 'headers.*'],
}

describe('E1 the form of a destination', () => {
  const fields = fieldsOf(SFTP)
  const kindOf = (key: string) => fields.find((field) => field.key === key)

  it('has a field for each setting, what is required first', () => {
    assert.deepEqual(fields.map(({ key }) => key).slice(0, 2), ['host', 'username'])
    assert.deepEqual(Object.fromEntries(fields.map(({ key, kind }) => [key, kind])), {
      host: 'text',
      username: 'text',
      port: 'number',
      method: 'choice',
      headers: 'names',
      password: 'text',
      privateKey: 'lines',
      hostKeySha256: 'text',
      acceptAnyHostKey: 'choice',
    })
    assert.deepEqual(
      fields.filter(({ isSecret }) => isSecret).map(({ key }) => key),
      ['headers', 'password', 'privateKey'],
    )
    assert.equal(kindOf('host')?.hint, 'Name or address.')
    assert.equal(titleOf('folderId'), 'Folder id')
  })

  it('takes what a plugin says no more of than its name, and nothing where it says nothing', () => {
    const [field] = fieldsOf({ type: 'x', configSchema: { properties: { folder: {} } }, secrets: [] })
    assert.deepEqual([field?.kind, field?.isRequired], ['text', false])
    assert.deepEqual(fieldsOf({ type: 'x', configSchema: { type: 'object' }, secrets: [] }), [])
  })

  it('says what is missing, and which field a message of the server is about', () => {
    assert.deepEqual(missingFields(fields, { host: 'h' }, {}), ['Username'])
    assert.deepEqual(missingFields(fields, { host: 'h', username: 'u' }, {}), [])
    assert.equal(fieldOfMessage('destinationConfig.hostKeySha256 is required', fields), 'hostKeySha256')
    assert.equal(fieldOfMessage('schedule is not a cron expression', fields), undefined)
  })

  it('E2 sends the placeholder for a secret that stays, and what was typed over it', () => {
    const stored = { host: 'h', password: '********', headers: { Authorization: '********' } }
    assert.equal(isKept(stored, 'password'), true)
    assert.equal(isKept(stored, 'headers.Authorization'), true)
    assert.equal(isKept(stored, 'privateKey'), false)
    assert.deepEqual(configToSend(stored, { password: '' }), stored)
    assert.deepEqual(configToSend(stored, { password: 'new', 'headers.Authorization': 'Bearer x' }), {
      host: 'h',
      password: 'new',
      headers: { Authorization: 'Bearer x' },
    })
    assert.deepEqual(withField(stored, 'host', ''), { password: '********', headers: { Authorization: '********' } })
  })
})

describe('A job', () => {
  const stored = {
    ...newJob('sftp', 'Europe/Berlin'),
    id: 'job-1',
    name: 'Feed',
    selection: { criteria: [] },
    createdAt: '',
    updatedAt: '',
    createdBy: '',
    nextRunAt: null,
    lastRun: null,
  } as unknown as ExportJob

  it('is sent back with what its form does not know, and without what the server sets', () => {
    const body = bodyOf(draftOf(stored), { password: 'p' })
    assert.deepEqual((body as { selection?: unknown }).selection, { criteria: [] })
    assert.equal('createdAt' in body, false)
    assert.deepEqual(body.destinationConfig, { password: 'p' })
  })

  it('that goes to another destination begins with settings of its own', () => {
    const draft = { ...draftOf(stored), destinationConfig: { host: 'h' } }
    assert.deepEqual(withDestination(draft, 's3'), { destinationType: 's3', destinationConfig: {} })
    assert.deepEqual(withDestination(draft, 'sftp'), {})
  })
})

describe('E4 next runs', () => {
  const at = ['2026-03-28T01:00:00.000Z', '2026-03-29T00:00:00.000Z', '2026-03-30T00:00:00.000Z']

  it('are told on the clocks of the job and of the user, with the change of clocks between them', () => {
    const [first, second, third] = nextRuns(at, { job: 'Europe/Berlin', user: 'America/New_York', locale: 'en-GB' })
    assert.match(first!.inJobZone, /Sat.*28 Mar.*02:00/)
    assert.match(first!.inUserZone!, /Fri.*27 Mar.*21:00/)
    assert.equal(second!.clockChange, undefined)
    assert.deepEqual(third!.clockChange, { from: 'UTC+1', to: 'UTC+2' })
  })

  it('are told once where both clocks are the same', () => {
    const [first] = nextRuns(at, { job: 'Europe/Berlin', user: 'Europe/Paris', locale: 'de-DE' })
    assert.equal(first!.inUserZone, undefined)
    assert.match(first!.inJobZone, /Sa/)
  })

  it('of a zone that is no zone are told in UTC, while somebody types', () => {
    assert.match(nextRuns(at, { job: 'Europe/Ber', user: 'UTC', locale: 'en-GB' })[0]!.inJobZone, /01:00/)
  })
})

describe('The last runs', () => {
  const run = (id: string, jobId: string, status: ExportRun['status'], seconds: number | null): ExportRun => ({
    id,
    jobId,
    status,
    startedAt: '2026-03-02T02:00:00.000Z',
    completedAt:
      seconds === null ? null : new Date(Date.parse('2026-03-02T02:00:00.000Z') + seconds * 1000).toISOString(),
    recordCount: null,
    fileSize: null,
    destinationPath: null,
    error: null,
    kind: 'full',
    durationMs: seconds === null ? null : seconds * 1000,
    attempts: 1,
    sha256: null,
    redelivers: null,
    keptUntil: null,
    files: null,
    progress: null,
  })

  it('are bars of each job, oldest first, as tall as they took long, and flat where they failed', () => {
    const runs = [
      run('3', 'a', 'running', null),
      run('x', 'b', 'success', 1),
      run('2', 'a', 'failed', 9),
      run('1', 'a', 'success', 4),
    ]
    const bars = barsByJob(runs)
    assert.deepEqual(
      bars.get('a')!.map(({ id, height }) => [id, height]),
      [
        ['1', 44],
        ['2', 0],
        ['3', 0],
      ],
    )
    assert.equal(bars.get('b')!.length, 1)
    assert.equal(runningOf(runs)?.id, '3')
  })

  it('are the last twelve', () => {
    const runs = Array.from({ length: 20 }, (_, index) => run(String(20 - index), 'a', 'success', 1))
    assert.deepEqual([barsByJob(runs).get('a')![0]!.id, barsByJob(runs).get('a')!.length], ['9', 12])
  })

  it('have sizes and durations that people read', () => {
    const plain = (value: number) => String(value)
    assert.deepEqual(
      [999, 1500, 31_200_000].map((bytes) => byteText(bytes, plain)),
      ['999 B', '1.5 KB', '31 MB'],
    )
    assert.deepEqual(
      [250, 4200, 61_000, 7_260_000].map((milliseconds) => durationText(milliseconds, plain)),
      ['250 ms', '4.2 s', '1 min 1 s', '2 h 1 min'],
    )
  })
})

describe('E4 failures', () => {
  const cases = {
    'the host key of h is SHA256:a, not SHA256:b: another server may be answering': 'hostKey',
    cancelled: 'cancelled',
    'interrupted: the server stopped during this run': 'interrupted',
    'sftp://h: the server did not accept the user name with this password or key': 'login',
    'destination 10.0.0.1 is refused (private); to permit it start with --allow-destination 10.0.0.1': 'address',
    'connect ECONNREFUSED 127.0.0.1:22': 'unreachable',
    'directory in: no such file or directory': 'place',
    'https://h/in answered 404': 'place',
    'https://h/in answered 500': 'answer',
    "the plugin of the destination type 'x' is not installed": 'plugin',
    'it took longer than 60 seconds': 'slow',
    'a riddle': 'other',
  }

  it('are told in plain words', () => {
    for (const [message, word] of Object.entries(cases)) assert.equal(failureKind(message), word, message)
    assert.equal(failureKind(null), 'other')
  })
})

describe('E3 the source of a column', () => {
  const names = ['Name', 'composed text'] as const

  it('becomes a template that shows the same, and keeps header, element and replacements', () => {
    const cases: [FeedColumn, string][] = [
      [{ header: 'a', attributeAlias: 'name', scope: { language: 'de' } }, '{name[language=de]}'],
      [{ header: 'a', attributeAlias: 'price', part: 'currency' }, '{price.currency}'],
      [{ header: 'a', field: 'id' }, '{id}'],
      [{ header: 'a', categoryPath: 'web' }, '{categoryPath:web}'],
      [{ header: 'a', constant: '{x}' }, '{{x}}'],
    ]
    for (const [column, template] of cases) {
      assert.deepEqual(withSource(column, '{}', names), { header: 'a', template })
      assert.equal(sourceOf({ header: 'a', template }), '{}')
    }
    const rest = { element: 'g:a', map: { x: 'y' } }
    const composed = withSource({ header: 'Name', attributeAlias: 'name', ...rest }, '{}', names)
    assert.deepEqual(composed, { header: 'composed text', template: '{name}', ...rest })
    assert.deepEqual(withSource(composed, '.id', names), { header: 'composed text', field: 'id', ...rest })
  })
})
