// `pimlet doctor` as a process: what it prints, how it ends, and that whoever writes meanwhile raises no alarm.
import assert from 'node:assert/strict'
import { chmodSync, rmSync } from 'node:fs'
import path from 'node:path'
import { after, before, describe, it } from 'node:test'
import type { CheckResult } from '../../src/workspace/maintenance/check.ts'
import { send } from '../helpers/answers.ts'
import { assertEnds, runCommand } from '../helpers/command.ts'
import { importFile, lines } from '../helpers/importing.ts'
import { startShop } from '../helpers/restored.ts'
import { english, everywhere, type Workspace } from '../helpers/shirts.ts'
import { makeTempDirectory } from '../helpers/temp-directory.ts'

let shop: Workspace
before(async () => {
  shop = await startShop()
  // It is answered when there is an index, which the doctor looks at.
  await send(shop.admin, 'GET', '/api/v1/search/text?query=shirt')
})
after(() => shop.stop())

interface Report {
  status: string
  checks: CheckResult[]
}

describe('pimlet doctor', { timeout: 600_000 }, () => {
  it('prints a line for each check, and ends with status 0 where there is no problem', async () => {
    chmodSync(path.join(shop.dataDir, 'signing.key'), 0o640)
    const { status, stdout, stderr } = await runCommand(['doctor', '--data-dir', shop.dataDir])
    chmodSync(path.join(shop.dataDir, 'signing.key'), 0o600)
    assert.deepEqual([status, stderr], [0, ''])
    const printed = stdout.trimEnd().split('\n')
    assert.equal(printed.length, 12, stdout)
    assert.match(printed[0]!, /^ok       database   [\d.]+ MB without damage$/)
    assert.match(printed[9]!, /^ok       content    The bytes of 0 files are those of their hashes$/)
    assert.match(printed[10]!, /^warning  files      1 files are open to others/)
    assert.equal(printed[11], '           signing.key: mode 640')
  })

  it('ends with status 1 where there is a problem, which --json gives to programs', async () => {
    const key = path.join(shop.dataDir, 'signing.key')
    const empty = makeTempDirectory()
    rmSync(key)
    const { status, stdout, stderr } = await runCommand(['doctor', '--json'], {
      env: { PIMLET_DATA_DIR: shop.dataDir },
    })
    assert.deepEqual([status, stderr], [1, ''])
    const report = JSON.parse(stdout) as Report
    assert.equal(report.status, 'problem')
    const secrets = report.checks.find(({ name }) => name === 'secrets')!
    assert.deepEqual([secrets.status, secrets.count, secrets.findings], ['problem', 1, [`${key} is missing`]])
    assertEnds(await runCommand(['doctor', '--data-dir', empty]), 1, empty, 'no workspace')
    assertEnds(await runCommand(['doctor', '--data-dir', shop.dataDir, '--repair-index']), 1, `process ${process.pid}`)
  })

  it('raises no alarm while records are written, changed and deleted', async () => {
    const { admin } = shop
    let isOver = false
    const write = async (writer: number): Promise<void> => {
      for (let round = 0; !isOver; round += 1) {
        const records = Array.from({ length: 20 }, (_, n) => ({
          id: `w-${writer}-${n}`,
          schemaId: 'sch-shirt',
          values: { name: [english(`Shirt ${round} ${n}`)], sku: everywhere(`W-${writer}-${n}-${round}`) },
        }))
        assert.equal((await importFile(admin, lines(...records), 'mode=upsert')).failed, 0)
        if (round % 3 === 2) await send(admin, 'DELETE', `/api/v1/records/w-${writer}-${round % 20}`)
      }
    }
    const writers = [1, 2, 3].map(write)
    for (let round = 0; round < 3; round += 1) {
      const { stdout } = await runCommand(['doctor', '--json', '--data-dir', shop.dataDir])
      const { checks } = JSON.parse(stdout) as Report
      // The key was taken away above.
      const wrong = checks.filter(({ status, name }) => status !== 'ok' && name !== 'secrets')
      assert.deepEqual(wrong, [])
    }
    isOver = true
    await Promise.all(writers)
  })
})
