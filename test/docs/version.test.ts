// The version of pimlet that is being built: after a release it is the next one, with -dev.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { it } from 'node:test'
import { readVersion } from '../../src/kernel/executable/assets.ts'

it('changes that are not released have a version after the newest release, with -dev', () => {
  const changelog = readFileSync(path.resolve(import.meta.dirname, '../../CHANGELOG.md'), 'utf8')
  const [newest, ...others] = [...changelog.matchAll(/^## (.*)$/gm)].map(([, title]) => title!)
  if (newest !== 'Unreleased') return assert.equal(readVersion(), newest)
  const [major, minor] = others[0]!.split('.')
  assert.equal(readVersion(), `${major}.${Number(minor) + 1}.0-dev`)
})
