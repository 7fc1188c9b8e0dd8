// The sftp destination against ssh2's own server (no posix-rename, faults on demand) and against OpenSSH.
// A long file: `npm run test:all` runs it.
import assert from 'node:assert/strict'
import { mkdirSync, writeFileSync } from 'node:fs'
import { chmod, mkdir, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import sftp from '../../plugins/sftp.ts'
import type { RunContext } from '../../src/kernel/destination.ts'
import { createNetwork } from '../../src/kernel/egress/network.ts'
import { makeExportFile } from '../helpers/export-file.ts'
import { lacksOpenSsh, startOpenSsh } from '../helpers/openssh.ts'
import type { OpenSsh } from '../helpers/openssh.ts'
import { makeLeftovers, makeRunContext } from '../helpers/run-context.ts'
import { startSftpServer } from '../helpers/sftp-server.ts'
import type { Behaviour, SftpServer } from '../helpers/sftp-server.ts'
import { startTcpProxy } from '../helpers/tcp-proxy.ts'
import { destinationContract } from './contract.ts'
import { severalOf } from './contract-several.ts'
import type { Address, ContractServer, RawConfig } from './contract.ts'

const isTemporary = (name: string): boolean => name.startsWith('.pimlet-')

/** The real guard, with loopback allowed. */
const network = createNetwork({ allow: ['127.0.0.1'] })
const run = (over: Partial<RunContext> = {}) => makeRunContext({ network, ...over })

function contractServer(server: SftpServer | OpenSsh, root: string): ContractServer {
  mkdirSync(join(root, 'in box'), { mode: 0o777 })
  const config = ({ host, port }: Address): RawConfig => ({
    host,
    port,
    username: server.username,
    password: server.password,
    path: 'in box',
    hostKeySha256: server.fingerprint,
  })
  return {
    address: { host: server.host, port: server.port },
    config,
    wrongCredentials: (at) => ({
      'wrong password': { ...config(at), password: 'not-the-password' },
      'unknown user': { ...config(at), username: 'nobody-here' },
      'wrong host key': { ...config(at), hostKeySha256: `SHA256:${'A'.repeat(43)}` },
    }),
    missingTarget: (at) => ({ 'missing directory': { ...config(at), path: 'in box/missing' } }),
    impatient: (raw) => ({ ...raw, timeoutSeconds: 1 }),
    path: (name, { host, port }) => {
      const base = 'home' in server ? server.home : ''
      return `sftp://${server.username}@${host}:${port}${base}/in%20box/${encodeURIComponent(name)}`
    },
    read: (name) => server.read(name, 'in box'),
    visible: async () => (await server.names('in box')).filter((name) => !isTemporary(name)),
    hidden: async () => (await server.names('in box')).filter(isTemporary),
    secrets: [server.password, 'not-the-password', server.privateKey],
    close: () => server.close(),
  }
}

// At the same time: much of it is waiting for links that are dead or slow.
describe('The destination sftp', { concurrency: true }, () => {
  destinationContract(
    'sftp on a server that replaces by plain rename',
    sftp,
    async () => {
      const server = await startSftpServer({ renameReplaces: true })
      return contractServer(server, server.root)
    },
    { brokenSize: 4_000_000 },
  )

  destinationContract(
    'sftp on OpenSSH',
    sftp,
    async () => {
      const server = await startOpenSsh()
      const contract = contractServer(server, server.home)
      await chmod(join(server.home, 'in box'), 0o777)
      return contract
    },
    { skip: lacksOpenSsh(), brokenSize: 4_000_000 },
  )

  describe('an sftp delivery', { concurrency: true }, () => {
    it('has no name but a temporary one until it is whole', () =>
      withServer({}, async (server, config) => {
        const proxy = await startTcpProxy({ host: server.host, port: server.port })
        proxy.slowTo(4_000_000)
        const seen = new Set<string>()
        const end = deliver({ ...config, port: proxy.port }, 'a.csv', run(), 3_000_000)
        await proxy.waitFor(500_000)
        while (proxy.received < 2_500_000) {
          for (const name of await server.names()) seen.add(name)
          await pause(10)
        }
        await end
        assert.equal(seen.size, 1)
        assert.ok([...seen].every(isTemporary), [...seen].join())
        assert.deepEqual(await server.names(), ['a.csv'])
        await proxy.kill()
      }))

    it('of bytes that the server has under the name already needs no rename', () =>
      withServer({}, async (server, config) => {
        const file = await makeExportFile('a.csv', 100_000)
        const context = run()
        await sftp.deliver(file, await parse(config), context)
        const bytes = await server.read('a.csv')
        await sftp.deliver(file, await parse(config), context)
        assert.ok((await server.read('a.csv'))!.equals(bytes!))
        assert.deepEqual(await server.names(), ['a.csv'])
        assert.deepEqual(context.leftovers.names, [])
      }))

    it('tells the same where the server refuses to read the file under the name', () =>
      withServer({ fails: { request: 'READ', status: 3 } }, async (server, config) => {
        const file = await makeExportFile('a.csv', 1000)
        const context = run()
        await sftp.deliver(file, await parse(config), context)
        const again = sftp.deliver(file, await parse(config), context)
        await assert.rejects(again, { permanent: true, message: /a\.csv exists.*posix-rename/ })
        assert.deepEqual(await server.names(), ['a.csv'])
        assert.deepEqual(context.leftovers.names, [])
      }))

    it('fails at once where the name is taken and the server cannot replace it, and leaves the old file', () =>
      withServer({}, async (server, config) => {
        const context = run()
        await deliver(config, 'a.csv', context, 3)
        await writeFile(join(server.root, 'a.csv'), 'old')
        await assert.rejects(deliver(config, 'a.csv', context, 3), {
          permanent: true,
          message: /a\.csv exists.*posix-rename/,
        })
        assert.equal(String(await server.read('a.csv')), 'old')
        assert.deepEqual(await server.names(), ['a.csv'])
        assert.deepEqual(context.leftovers.names, [])
      }))

    it('is no success when the server holds fewer bytes', () =>
      withServer({ losesByte: true }, async (server, config) => {
        const message = /holds 99999 of 100000 bytes/
        await assert.rejects(deliver(config), (error: Error) => message.test(error.message) && !('permanent' in error))
        assert.deepEqual(await server.names(), [])
      }))

    const refusals: [request: string, status: number, permanent: boolean, left: string[]][] = [
      ['OPEN', 3, true, []],
      ['WRITE', 4, false, []],
      ['WRITE', 3, true, []],
      ['CLOSE', 4, false, []],
      ['RENAME', 3, true, []],
      ['RENAME', 4, false, []],
      ['REALPATH', 2, true, []],
      ['REALPATH', 4, false, []],
      ['STAT', 2, true, []],
      ['STAT', 4, false, []],
    ]
    for (const [request, status, permanent, left] of refusals) {
      it(`${permanent ? 'ends at once' : 'can be retried'} when the server answers ${request} with status ${status}`, () =>
        withServer({ fails: { request, status } }, async (server, config) => {
          const context = run()
          const error = await deliver(config, 'a.csv', context).catch((fault: unknown) => fault)
          assert.ok(error instanceof Error)
          assert.equal('permanent' in error, permanent, error.message)
          assert.deepEqual(await server.names(), left)
          assert.deepEqual(context.leftovers.names, [])
        }))
    }

    it('waits for a server that is slow to delete the temporary name', () =>
      withServer({ losesByte: true, slow: { request: 'REMOVE', milliseconds: 800 } }, async (server, config) => {
        const context = run()
        await assert.rejects(deliver(config, 'a.csv', context))
        assert.deepEqual(await server.names(), [])
        assert.deepEqual(context.leftovers.names, [])
      }))

    it('waits half a second for it when the run was aborted', () =>
      withServer({ fails: { request: 'REMOVE', status: 'silence' } }, async (server, config) => {
        const abort = new AbortController()
        const context = run({ signal: abort.signal })
        server.behaviour.slow = { request: 'WRITE', milliseconds: 60_000 }
        const delivery = assert.rejects(deliver(config, 'a.csv', context), { message: 'enough' })
        while (!server.requests.includes('WRITE')) await pause(5)
        abort.abort(new Error('enough'))
        await delivery
        assert.equal(context.leftovers.names.length, 1)
        assert.match(context.lines.join(), /no answer/)
      }))

    it('keeps the temporary name in mind when the server will not delete it', () =>
      withServer({ losesByte: true, fails: { request: 'REMOVE', status: 4 } }, async (server, config) => {
        const context = run()
        await assert.rejects(deliver(config, 'a.csv', context))
        const [left] = await server.names()
        assert.ok(left && isTemporary(left))
        const { host, port, username } = config
        assert.deepEqual(context.leftovers.names, [JSON.stringify({ host, port, username, path: `/${left}` })])
        assert.match(context.lines.join(), /is left for now/)
        server.behaviour.fails = undefined
        await sftp.sweep?.(await parse(config), context)
        assert.deepEqual(await server.names(), [])
        assert.deepEqual(context.leftovers.names, [])
      }))

    it('gives up a server that lives but does not answer', () =>
      withServer({ fails: { request: 'WRITE', status: 'silence' } }, async (_server, config) => {
        await assert.rejects(deliver({ ...config, timeoutSeconds: 1 }), { message: /leaves requests unanswered/ })
      }))

    it('does not give up a line that is slow but lives', () =>
      withServer({}, async (server, config) => {
        const proxy = await startTcpProxy({ host: server.host, port: server.port })
        proxy.slowTo(300_000)
        const started = performance.now()
        await deliver({ ...config, port: proxy.port, timeoutSeconds: 1 }, 'a.csv', run(), 900_000)
        assert.ok(performance.now() - started > 2_500)
        assert.equal((await server.read('a.csv'))?.length, 900_000)
        await proxy.kill()
      }))

    it('needs a directory, and SFTP', () =>
      withServer({}, async (server, config) => {
        await writeFile(join(server.root, 'file'), '')
        await assert.rejects(deliver({ ...config, path: 'file' }), {
          permanent: true,
          message: /^exporter@127\.0\.0\.1:\d+: \/file is not a directory$/,
        })
        server.behaviour.noSftp = true
        await assert.rejects(deliver(config), { message: /exporter@127\.0\.0\.1:\d+: SFTP: / })
      }))

    it('does not reach a refused address', () =>
      withServer({}, async (server, config) => {
        const context = run({ network: createNetwork({ allow: [] }) })
        await assert.rejects(deliver(config, 'a.csv', context), { permanent: true, message: /--allow-destination/ })
        assert.equal(server.connections, 0)
      }))
  })
})

async function parse(raw: RawConfig) {
  const result = await sftp.config['~standard'].validate(raw)
  assert.ok(!result.issues, JSON.stringify(result.issues))
  return result.value
}

async function issuesOf(raw: RawConfig): Promise<string[]> {
  const { issues } = await sftp.config['~standard'].validate(raw)
  return (issues ?? []).map(({ message, path }) => {
    const keys = (path ?? []).map((item) => String(typeof item === 'object' ? item.key : item))
    return `${keys.join('.')}: ${message}`
  })
}

/** A server for one test, and the config that fits it. */
async function withServer(
  behaviour: Behaviour,
  work: (server: SftpServer, config: RawConfig) => Promise<void>,
): Promise<void> {
  const server = await startSftpServer(behaviour)
  const { host, port, username, password, fingerprint } = server
  try {
    await work(server, { host, port, username, password, hostKeySha256: fingerprint })
  } finally {
    await server.close()
  }
}

async function deliver(raw: RawConfig, name = 'a.csv', context = run(), size = 100_000) {
  return sftp.deliver(await makeExportFile(name, size), await parse(raw), context)
}

describe('sftp credentials', () => {
  for (const key of ['privateKey', 'encryptedKey'] as const) {
    it(`may be ${key === 'privateKey' ? 'a private key' : 'an encrypted private key'}`, () =>
      withServer({}, async (server, full) => {
        const config = { ...full, password: undefined }
        const passphrase = key === 'encryptedKey' ? server.passphrase : undefined
        await deliver({ ...config, privateKey: server[key], passphrase })
        assert.deepEqual(await server.names(), ['a.csv'])
      }))
  }

  it('may be a password that the server asks for by a prompt', () =>
    withServer({ promptsOnly: true }, async (server, config) => {
      await deliver(config)
      assert.deepEqual(await server.names(), ['a.csv'])
      await assert.rejects(deliver({ ...config, password: 'wrong' }), { permanent: true })
    }))

  it('are not shown to a server with another host key, whose fingerprint the error tells', () =>
    withServer({}, async (server, config) => {
      const other = `SHA256:${'A'.repeat(43)}`
      await assert.rejects(deliver({ ...config, hostKeySha256: other }), (error: Error & { permanent?: boolean }) => {
        assert.equal(error.permanent, true)
        assert.ok(error.message.includes(server.fingerprint) && error.message.includes(other), error.message)
        return true
      })
      assert.deepEqual(server.attempts, [])
    }))

  it('are shown to any server with acceptAnyHostKey, unless a fingerprint is given too', () =>
    withServer({}, async (_server, full) => {
      const config = { ...full, hostKeySha256: undefined }
      await deliver({ ...config, acceptAnyHostKey: true })
      const pinned = { ...config, acceptAnyHostKey: true, hostKeySha256: 'A'.repeat(43) }
      await assert.rejects(deliver(pinned), { permanent: true })
    }))
})

describe('an sftp sweep', () => {
  it('removes what is noted and looks like its own, and nothing else', () =>
    withServer({}, async (server, config) => {
      await mkdir(join(server.root, 'in'))
      for (const name of ['.pimlet-run-1-x.part', '.pimlet-run-2-x.part', 'precious.csv']) {
        writeFileSync(join(server.root, 'in', name), 'x')
      }
      const leftovers = makeLeftovers('/in/.pimlet-run-1-x.part', '/in/.pimlet-gone.part', '/in/precious.csv')
      await sftp.sweep?.(await parse(config), run({ leftovers }))
      assert.deepEqual(await server.names('in'), ['.pimlet-run-2-x.part', 'precious.csv'])
      assert.deepEqual(leftovers.names, ['/in/precious.csv'])
    }))

  it('looks for a temporary file only at the server, and as the user, that it was noted for', () =>
    withServer({ losesByte: true, fails: { request: 'REMOVE', status: 4 } }, async (server, config) => {
      const context = run()
      await assert.rejects(deliver(config, 'a.csv', context))
      server.behaviour.fails = undefined
      const [note] = context.leftovers.names
      await withServer({}, async (other, elsewhere) => {
        for (const moved of [elsewhere, { ...config, username: 'somebody' }, { ...config, host: 'localhost' }]) {
          await sftp.sweep?.(await parse(moved), context)
          assert.deepEqual(context.leftovers.names, [note])
        }
        assert.equal(other.connections, 0)
      })
      await sftp.sweep?.(await parse(config), context)
      assert.deepEqual([context.leftovers.names, await server.names()], [[], []])
    }))

  it('does not connect when nothing is noted', () =>
    withServer({}, async (server, config) => {
      await sftp.sweep?.(await parse(config), run())
      assert.equal(server.connections, 0)
    }))
})

describe('an sftp config', () => {
  const valid = { host: 'sftp.example.test', username: 'u', password: 'p', hostKeySha256: 'A'.repeat(43) }

  it('takes a fingerprint with and without prefix and padding', async () => {
    for (const form of ['SHA256:', ''].flatMap((prefix) =>
      ['', '='].map((end) => `${prefix}${'A'.repeat(43)}${end}`),
    )) {
      assert.equal((await parse({ ...valid, hostKeySha256: form })).hostKeySha256, 'A'.repeat(43))
    }
  })

  it('fills in port, path and time limit', async () => {
    const { port, path, timeoutSeconds, acceptAnyHostKey } = await parse(valid)
    assert.deepEqual(
      { port, path, timeoutSeconds, acceptAnyHostKey },
      { port: 22, path: '', timeoutSeconds: 60, acceptAnyHostKey: false },
    )
  })

  const faults: [change: RawConfig, issue: RegExp][] = [
    [{ host: undefined }, /^host: /],
    [{ host: 'user@host' }, /^host: must be a host name/],
    [{ host: 'host/path' }, /^host: must be a host name/],
    [{ host: 'a'.repeat(254) }, /^host: /],
    [{ port: 0 }, /^port: /],
    [{ port: 65_536 }, /^port: /],
    [{ port: 2.5 }, /^port: /],
    [{ port: '22' }, /^port: /],
    [{ username: '' }, /^username: must not be empty/],
    [{ path: 'a\nb' }, /^path: must be one line/],
    [{ path: 'a\0b' }, /^path: must be one line/],
    [{ password: undefined }, /^password: give either/],
    [{ privateKey: 'x' }, /^password: give either/],
    [{ password: undefined, privateKey: 'no key' }, /^privateKey: is no private key/],
    [{ hostKeySha256: undefined }, /^hostKeySha256: is required.*ssh-keyscan/],
    [{ hostKeySha256: undefined, acceptAnyHostKey: false }, /^hostKeySha256: is required/],
    [{ hostKeySha256: 'MD5:aa:bb' }, /^hostKeySha256: must be a fingerprint/],
    [{ hostKeySha256: 'A'.repeat(42) }, /^hostKeySha256: must be a fingerprint/],
    [{ hostKeySha256: 'A'.repeat(42) + 'B' }, /^hostKeySha256: must be a fingerprint/],
    [{ timeoutSeconds: 0 }, /^timeoutSeconds: /],
  ]
  for (const [change, issue] of faults) {
    it(`is refused with ${JSON.stringify(change).slice(0, 60)} (${Object.keys(change).join()})`, async () => {
      const issues = await issuesOf({ ...valid, ...change })
      assert.ok(
        issues.some((each) => issue.test(each)),
        issues.join(),
      )
    })
  }

  it('is refused with a public key, or with a key whose passphrase is wrong, without quoting either', () =>
    withServer({}, async ({ encryptedKey, passphrase }) => {
      const rest = { ...valid, password: undefined }
      const publicKey = 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIOMqqnkVzrm0SdG6UOoqKLsabgH5C9okWi0dh2l9GKJl'
      const wrong = [
        { privateKey: publicKey },
        { privateKey: encryptedKey },
        { privateKey: encryptedKey, passphrase: 'wrong-phrase' },
      ]
      for (const change of wrong) {
        const issues = await issuesOf({ ...rest, ...change })
        assert.match(issues.join(), /^privateKey: is no private key that can be read/)
        assert.ok(!issues.join().includes('wrong-phrase') && !issues.join().includes('AAAA'))
      }
      assert.deepEqual(await issuesOf({ ...rest, privateKey: encryptedKey, passphrase }), [])
    }))
})

describe('sftp on OpenSSH', { skip: lacksOpenSsh() }, () => {
  let server: OpenSsh
  let config: RawConfig
  before(async () => {
    server = await startOpenSsh()
    const { host, port, username, privateKey, fingerprint } = server
    config = { host, port, username, privateKey, hostKeySha256: fingerprint }
  })
  after(() => server.close())

  it('takes a key, and begins in the home of the user', async () => {
    const { destinationPath } = await deliver(config, 'home.csv')
    assert.equal(destinationPath, `sftp://exportu@127.0.0.1:${server.port}${server.home}/home.csv`)
    assert.deepEqual(await server.names(), ['home.csv'])
  })

  it('makes files with the rights that the server gives to new ones, not with others', async () => {
    await deliver(config, 'rights.csv')
    const { mode } = await stat(join(server.home, 'rights.csv'))
    assert.equal(mode & 0o777, 0o666 & ~process.umask())
  })

  it('takes 50 MB in seconds, not in the minute of a socket that waits', async () => {
    const started = performance.now()
    await deliver(config, 'large.csv', run(), 50_000_000)
    assert.ok(performance.now() - started < 45_000, `${Math.round(performance.now() - started)} ms`)
  })

  it('takes several files over one connection', async () => {
    const proxy = await startTcpProxy({ host: server.host, port: server.port })
    const names = Array.from({ length: 40 }, (_, index) => `picture-${index}.jpg`)
    const files = await Promise.all(names.map((name) => makeExportFile(name, 3000)))
    const several = severalOf(files)
    const through = await parse({ ...config, host: proxy.host, port: proxy.port })
    await sftp.deliverAll!(several.files(), through, several.context)
    assert.equal(proxy.connections, 1)
    assert.equal((await server.names()).filter((name) => names.includes(name)).length, 40)
    await proxy.kill()
  })

  it('says at once when the directory may not be written', async () => {
    const started = performance.now()
    await assert.rejects(deliver({ ...config, path: '/' }), { permanent: true, message: /permission denied/ })
    await assert.rejects(sftp.check?.(await parse({ ...config, path: '/' }), run()) ?? Promise.resolve(), {
      permanent: true,
    })
    assert.ok(performance.now() - started < 10_000)
  })
})
