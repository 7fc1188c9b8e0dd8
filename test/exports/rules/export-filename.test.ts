// The name of an exported file.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { exportFilename, findFilenameFault, type FilenameParts } from '../../../src/exports/rules/export-filename.ts'

const parts: FilenameParts = {
  at: new Date('2026-03-28T23:59:58.999Z'),
  timezone: 'UTC',
  jobId: 'job-1',
  runId: 'run-2',
  format: 'csv',
  isCompressed: false,
}

describe('The name of an exported file', () => {
  it('is the template with its placeholders filled', () => {
    const template = 'products_{date}_{time}-{jobId}-{runId}.{format}'
    assert.equal(exportFilename(template, parts), 'products_2026-03-28_235958-job-1-run-2.csv')
    assert.equal(exportFilename('{date}{date} Größe.txt', parts), '2026-03-282026-03-28 Größe.txt')
  })

  it('has date and time of the time zone of the job, at midnight and across summer time too', () => {
    const named = (at: string, timezone: string) =>
      exportFilename('{date} {time}', { ...parts, at: new Date(at), timezone })
    assert.equal(named('2026-03-28T23:59:58Z', 'Asia/Kathmandu'), '2026-03-29 054458')
    assert.equal(named('2026-03-29T00:59:59Z', 'Europe/Berlin'), '2026-03-29 015959')
    assert.equal(named('2026-03-29T01:00:00Z', 'Europe/Berlin'), '2026-03-29 030000')
    assert.equal(named('2026-01-01T00:00:00Z', 'UTC'), '2026-01-01 000000')
    assert.equal(named('2026-01-01T04:59:59Z', 'America/New_York'), '2025-12-31 235959')
  })

  it('ends in .gz when the file is compressed, once', () => {
    const named = (template: string, isCompressed: boolean) => exportFilename(template, { ...parts, isCompressed })
    assert.equal(named('a.csv', true), 'a.csv.gz')
    assert.equal(named('a.csv.gz', true), 'a.csv.gz')
    assert.equal(named('a.csv', false), 'a.csv')
    assert.equal(named('a.csv.gz', false), 'a.csv.gz')
  })
})

describe('A template', () => {
  it('without fault has known placeholders and makes a name that file systems take', () => {
    for (const template of ['a', 'export.csv', '{date}', '.hidden', 'a b.{format}', 'é'.repeat(120), '{jobId}{time}'])
      assert.equal(findFilenameFault(template), undefined, template)
  })

  const faults: readonly (readonly [string, RegExp])[] = [
    ['', /empty/],
    ['a/b', /separator/],
    ['a\\b', /separator/],
    ['..', /'\.\.'/],
    ['a..b', /'\.\.'/],
    ['.', /dots/],
    ['  ', /dots and spaces/],
    ['a\0', /control/],
    ['a\n', /control/],
    ['\uD800', /control/],
    ['{datum}.csv', /unknown placeholder '\{datum\}'.*\{date\}/],
    ['{}', /unknown placeholder/],
    ['{Date}', /unknown placeholder/],
    ['{constructor}', /unknown placeholder/],
    ['{date', /brace/],
    ['date}', /brace/],
    ['{{date}}', /brace/],
    ['x'.repeat(253), /255 bytes/],
    ['é'.repeat(127), /255 bytes/],
    ['{jobId}{runId}', /255 bytes/],
    ['x'.repeat(100_000), /255 bytes/],
  ]
  for (const [template, fault] of faults) {
    it(`like ${JSON.stringify(template.slice(0, 20))} is refused`, () => {
      assert.match(findFilenameFault(template) ?? '', fault)
    })
  }

  it('is measured with the ID of its job where that is known', () => {
    assert.equal(findFilenameFault('{jobId}{runId}', 'job-1'), undefined)
    assert.match(findFilenameFault('{jobId}{runId}', 'j'.repeat(128)) ?? '', /255 bytes/)
  })
})
