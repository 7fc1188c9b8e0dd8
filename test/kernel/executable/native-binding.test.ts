// The database's native code in the data directory: what is put there, what is trusted, what is removed.
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import {
  chmodSync,
  copyFileSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import path from 'node:path'
import { describe, it } from 'node:test'
import type { EmbeddedBinding } from '../../../src/kernel/executable/assets.ts'
import { placeNativeBinding, removeOldNativeBindings } from '../../../src/kernel/executable/native-binding.ts'
import { makeTempDirectory } from '../../helpers/temp-directory.ts'

const content = Buffer.from('native code')
const binding: EmbeddedBinding = {
  sha256: createHash('sha256').update(content).digest('hex'),
  fileName: 'better_sqlite3.node',
  read: () => content,
}

function place(): { dataDir: string; file: string } {
  const dataDir = makeTempDirectory()
  placeNativeBinding(dataDir, binding)
  return { dataDir, file: path.join(dataDir, 'native', binding.sha256, 'better_sqlite3.node') }
}

describe('The native binding', () => {
  it('is put into the data directory for its owner only', () => {
    const { dataDir, file } = place()
    assert.ok(readFileSync(file).equals(content))
    for (const [name, mode] of [
      [file, 0o600],
      [path.dirname(file), 0o700],
      [path.join(dataDir, 'native'), 0o700],
    ] as const)
      assert.equal(statSync(name).mode & 0o777, mode, name)
  })

  it('stays as it is while it is what it should be', () => {
    const { dataDir, file } = place()
    const { ino, mtimeMs } = statSync(file)
    placeNativeBinding(dataDir, binding)
    assert.deepEqual([statSync(file).ino, statSync(file).mtimeMs], [ino, mtimeMs])
  })

  const changes: Record<string, (file: string) => void> = {
    'it is missing': (file) => rmSync(file),
    'its content differs': (file) => writeFileSync(file, 'other code'),
    'it is cut short': (file) => writeFileSync(file, ''),
    'others may write it': (file) => chmodSync(file, 0o666),
    'it is a link to the same content': (file) => {
      copyFileSync(file, `${file}.elsewhere`)
      rmSync(file)
      symlinkSync(`${file}.elsewhere`, file)
    },
    'it is a directory': (file) => {
      rmSync(file)
      mkdirSync(path.join(file, 'inside'), { recursive: true })
    },
  }
  for (const [when, change] of Object.entries(changes))
    it(`is written again where ${when}`, () => {
      const { dataDir, file } = place()
      change(file)
      placeNativeBinding(dataDir, binding)
      assert.ok(lstatSync(file).isFile() && readFileSync(file).equals(content))
      assert.equal(statSync(file).mode & 0o777, 0o600)
    })

  it('of other versions, and what a crash left, are removed; its own stays', () => {
    const { dataDir, file } = place()
    const native = path.join(dataDir, 'native')
    mkdirSync(path.join(native, 'older'))
    writeFileSync(path.join(native, 'older', 'better_sqlite3.node'), 'old')
    writeFileSync(`${file}.4711`, 'half')
    removeOldNativeBindings(dataDir, binding)
    assert.deepEqual(readdirSync(native, { recursive: true, encoding: 'utf8' }).sort(), [
      binding.sha256,
      path.join(binding.sha256, 'better_sqlite3.node'),
    ])
  })

  it('of a checkout is where its package has it: nothing is put anywhere', () => {
    const dataDir = makeTempDirectory()
    placeNativeBinding(dataDir)
    removeOldNativeBindings(dataDir)
    assert.deepEqual(readdirSync(dataDir), [])
  })
})
