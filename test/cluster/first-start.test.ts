// Six servers that start at the same moment on a database with nothing in it.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { type App, startApp } from '../../src/app/app.ts'
import { createLog } from '../../src/kernel/observing/log.ts'
import { system } from '../../src/kernel/machine/system.ts'
import { send } from '../helpers/answers.ts'
import { keyClient, tokenClient } from '../helpers/client.ts'
import { directoryLike, directoryWithKeys } from '../helpers/cluster.ts'
import { makeDatabase } from '../helpers/postgres.ts'
import { ADMIN_KEY, configFor } from '../helpers/server.ts'
import { withoutPostgres } from '../helpers/postgres-programs.ts'

const SIX = [0, 1, 2, 3, 4, 5]

function start(dataDir: string, databaseUrl: string, announced: string[]): Promise<App> {
  return startApp({
    config: { ...configFor(dataDir), databaseUrl },
    firstStart: { adminPassword: undefined, adminApiKey: ADMIN_KEY },
    announcePassword: async (password) => void announced.push(password),
    version: '0.0.0-test',
    log: createLog({ level: 'error', format: 'json', system, write: (line) => assert.fail(line) }),
    testing: { passwordCost: 4, stopGrace: 500 },
  })
}

describe('Six servers on an empty database', { skip: withoutPostgres() }, () => {
  it('with the same keys all start: one admin, with the one password that was told', async () => {
    const database = await makeDatabase()
    const first = directoryWithKeys()
    const announced: string[] = []
    const directories = SIX.map((index) => (index === 0 ? first : directoryLike(first)))
    const apps = await Promise.all(directories.map((directory) => start(directory, database.url, announced)))
    assert.equal(announced.length, 1)
    for (const { url } of apps) {
      const login = { username: 'admin', password: announced[0] }
      const opened = await send<{ accessToken: string }>(keyClient(url), 'POST', '/api/v1/auth/login', login)
      assert.equal(opened.status, 200, opened.text)
      const admin = tokenClient(url, opened.body.accessToken)
      assert.equal((await send<object[]>(admin, 'GET', '/api/v1/users')).body.length, 1)
      assert.equal((await send<object[]>(admin, 'GET', '/api/v1/api-keys')).body.length, 1)
    }
    const roles = await send<{ id: string }[]>(keyClient(apps[0]!.url, ADMIN_KEY), 'GET', '/api/v1/roles')
    assert.equal(new Set(roles.body.map(({ id }) => id)).size, roles.body.length)
    await Promise.all(apps.map((app) => app.stop()))
    await database.release()
  })

  it('with keys of their own one starts, and the others say which keys they need', async () => {
    const database = await makeDatabase()
    const announced: string[] = []
    const starts = SIX.map(() => start(directoryWithKeys(), database.url, announced))
    const ended = await Promise.allSettled(starts)
    const started = ended.filter((one) => one.status === 'fulfilled')
    assert.equal(started.length, 1)
    assert.equal(announced.length, 1)
    for (const one of ended)
      if (one.status === 'rejected')
        assert.match(String(one.reason), /are not those of the workspace: copy signing\.key/)
    await Promise.all(started.map(({ value }) => value.stop()))
    await database.release()
  })
})
