import { test } from 'node:test'
import type { Attack } from '../../scripts/bench/attacks/attack.ts'
import { assertWithstood } from './attacked.ts'

/** Of each a megabyte or two, where the bench sends ten. */
const BOMBS = ['['.repeat(1e6), `[${'{},'.repeat(500_000)}`, `{"a":${'[[1]],'.repeat(200_000)}`, ' '.repeat(2e6)]

test('large JSON, of strangers and of a caller, stops nobody', async () => {
  const attack: Attack = {
    name: 'large JSON',
    longestWait: 500,
    async run({ port, adminKey }) {
      const post = (path: string, headers: object, body: string): Promise<number> =>
        fetch(`http://127.0.0.1:${port}${path}`, {
          method: 'POST',
          headers: { 'content-type': 'application/json', ...headers },
          body,
        }).then(
          (answer) => answer.status,
          () => 0,
        )
      const statuses = await Promise.all(
        BOMBS.flatMap((body) => [
          post('/api/v1/auth/login', {}, body),
          post('/api/v1/records', { 'x-service-apikey': adminKey }, body),
        ]),
      )
      return statuses.join(', ')
    },
  }
  await assertWithstood(attack)
})
