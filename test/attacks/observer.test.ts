// The instrument itself: an attack that succeeds is seen to.
// A long file: `npm run test:all` runs it.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Attack } from '../../scripts/bench/attacks/attack.ts'
import { findDamage, HEAP_LIMIT, measureAttack } from '../../scripts/bench/attacks/measure-attack.ts'
import { NODE_FLAGS } from '../../scripts/build/node-flags.ts'
import { makeTempDirectory } from '../helpers/temp-directory.ts'
import { PROGRAM } from '../helpers/program.ts'

const command = [process.execPath, ...NODE_FLAGS, `--max-old-space-size=${HEAP_LIMIT}`, PROGRAM] as const

test('a server that is left in peace serves others at once, and takes no more memory', async () => {
  const attack: Attack = { name: 'nothing', longestWait: 20_000, run: async () => 'nothing' }
  const result = await measureAttack(attack, command, makeTempDirectory())
  assert.equal(findDamage(attack, result), undefined)
  assert.ok(result.health > 0 && result.record > 0)
})

test('others that wait for a server that stands still are seen to wait', async () => {
  const attack: Attack = {
    name: 'a server that stands still',
    longestWait: 500,
    async run({ pid }) {
      process.kill(pid, 'SIGSTOP')
      await new Promise((resolve) => setTimeout(resolve, 1000))
      process.kill(pid, 'SIGCONT')
      return 'a second'
    },
  }
  const result = await measureAttack(attack, command, makeTempDirectory())
  assert.match(findDamage(attack, result) ?? '', /others waited for \d+ ms/)
})
