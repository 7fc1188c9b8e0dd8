// One table of questions and answers of the S3 protocol, put to every server that the s3 destination is tested against:
// the fixture is only worth something as long as it answers like a store by other people.
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { after, before, describe, it } from 'node:test'
import { askS3, type RawAnswer, type RawRequest, type S3Server } from '../helpers/s3-onlooker.ts'

const BODY = Buffer.from('sku;name\r\n')
const PART = Buffer.alloc(5 * 1024 * 1024, 'p')
const md5 = (body: Buffer): string => createHash('md5').update(body).digest('base64')

export function s3ProtocolTable(
  title: string,
  bucket: string,
  start: () => Promise<S3Server & { close(): Promise<void> }>,
  skip: string | false = false,
): void {
  describe(title, { skip, concurrency: 1 }, () => {
    let server: S3Server & { close(): Promise<void> }
    before(async () => {
      server = await start()
    })
    after(() => server.close())
    const ask = (request: RawRequest) => askS3(server, request)
    const put = (key: string, over: Partial<RawRequest> = {}) =>
      ask({ method: 'PUT', url: `/${bucket}/${key}`, body: BODY, ...over })

    it('stores, shows, replaces and removes an object', async () => {
      assert.equal((await put('a')).status, 200)
      assert.equal((await put('a', { body: Buffer.from('second') })).status, 200)
      assert.equal((await ask({ method: 'GET', url: `/${bucket}/a` })).body.toString(), 'second')
      const head = await ask({ method: 'HEAD', url: `/${bucket}/a` })
      assert.equal(head.headers['content-length'], '6')
      assert.equal((await ask({ method: 'DELETE', url: `/${bucket}/a` })).status, 204)
      assert.deepEqual(outcome(await ask({ method: 'GET', url: `/${bucket}/a` })), [404, 'NoSuchKey'])
    })

    // Where two words stand, the first is Amazon's and the second Swift's: the plugin must understand both.
    const refusals: [string, Partial<RawRequest> | (() => Partial<RawRequest>), number, string][] = [
      ['a bucket that does not exist', { url: '/no-such-bucket/a' }, 404, 'NoSuchBucket'],
      [
        'a wrong secret',
        () => ({ account: { ...server.account, secretAccessKey: 'x' } }),
        403,
        'SignatureDoesNotMatch',
      ],
      [
        'an unknown key',
        () => ({ account: { ...server.account, accessKeyId: 'x' } }),
        403,
        'InvalidAccessKeyId|SignatureDoesNotMatch',
      ],
      ['a clock that is an hour slow', () => ({ at: new Date(Date.now() - 3_600_000) }), 403, 'RequestTimeTooSkewed'],
      ['a clock that is an hour fast', () => ({ at: new Date(Date.now() + 3_600_000) }), 403, 'RequestTimeTooSkewed'],
      [
        'another path than was signed',
        {
          forge: (headers) => ({ ...headers, 'x-amz-date': headers['x-amz-date']?.replace(/\dZ$/, '0Z') ?? '' }),
          at: odd(),
        },
        403,
        'SignatureDoesNotMatch',
      ],
      [
        'another body than was signed',
        { headers: { 'x-amz-content-sha256': '0'.repeat(64) } },
        400,
        'XAmzContentSHA256Mismatch|BadDigest',
      ],
      ['a body that its MD5 contradicts', { headers: { 'content-md5': md5(PART) } }, 400, 'BadDigest'],
      [
        'a body in chunks with a trailer',
        {
          headers: {
            'x-amz-content-sha256': 'STREAMING-UNSIGNED-PAYLOAD-TRAILER',
            'x-amz-trailer': 'x-amz-checksum-crc32',
            'x-amz-decoded-content-length': String(BODY.length),
            'content-encoding': 'aws-chunked',
          },
        },
        501,
        'NotImplemented',
      ],
    ]
    for (const [what, over, status, code] of refusals) {
      it(`refuses ${what}`, async () => {
        const answer = await put('refused', typeof over === 'function' ? over() : over)
        assert.equal(answer.status, status)
        assert.ok(code.split('|').includes(answer.code ?? ''), answer.code)
        assert.equal((await ask({ method: 'GET', url: `/${bucket}/refused` })).status, 404)
      })
    }

    it('puts an upload together from its parts, in their order', async () => {
      const id = await begin(ask, bucket, 'whole')
      const tags = [await part(ask, bucket, 'whole', id, 1, PART), await part(ask, bucket, 'whole', id, 2, BODY)]
      assert.equal(
        (await ask({ method: 'GET', url: `/${bucket}/whole` })).status,
        404,
        'not there before it is complete',
      )
      assert.match((await ask({ method: 'GET', url: `/${bucket}?uploads=` })).body.toString(), new RegExp(id))
      assert.equal((await complete(ask, bucket, 'whole', id, tags)).status, 200)
      const { body } = await ask({ method: 'GET', url: `/${bucket}/whole` })
      assert.ok(body.equals(Buffer.concat([PART, BODY])))
      assert.doesNotMatch((await ask({ method: 'GET', url: `/${bucket}?uploads=` })).body.toString(), new RegExp(id))
    })

    it('refuses parts out of order, unknown parts, and parts that are too small', async () => {
      const id = await begin(ask, bucket, 'odd')
      const one = await part(ask, bucket, 'odd', id, 1, BODY)
      const two = await part(ask, bucket, 'odd', id, 2, BODY)
      const swapped = await complete(ask, bucket, 'odd', id, [two, one])
      assert.deepEqual(outcome(swapped), [400, 'InvalidPartOrder'])
      const unknown = await complete(ask, bucket, 'odd', id, [{ ...one, etag: '0'.repeat(32) }])
      assert.equal(codeOf(unknown), 'InvalidPart')
      assert.equal(codeOf(await complete(ask, bucket, 'odd', id, [one, two])), 'EntityTooSmall')
      assert.equal((await ask({ method: 'GET', url: `/${bucket}/odd` })).status, 404)
      assert.equal((await ask({ method: 'DELETE', url: `/${bucket}/odd?uploadId=${id}` })).status, 204)
    })

    it('forgets an upload that is broken off', async () => {
      const id = await begin(ask, bucket, 'gone')
      await part(ask, bucket, 'gone', id, 1, PART)
      assert.equal((await ask({ method: 'DELETE', url: `/${bucket}/gone?uploadId=${id}` })).status, 204)
      assert.doesNotMatch((await ask({ method: 'GET', url: `/${bucket}?uploads=` })).body.toString(), new RegExp(id))
      const late = await ask({ method: 'PUT', url: `/${bucket}/gone?partNumber=2&uploadId=${id}`, body: BODY })
      assert.deepEqual(outcome(late), [404, 'NoSuchUpload'])
      const again = await ask({ method: 'DELETE', url: `/${bucket}/gone?uploadId=${id}` })
      assert.deepEqual(outcome(again), [404, 'NoSuchUpload'])
    })
  })
}

type Ask = (request: RawRequest) => Promise<RawAnswer>
interface Part {
  readonly number: number
  readonly etag: string
}

async function begin(ask: Ask, bucket: string, key: string): Promise<string> {
  const { body } = await ask({ method: 'POST', url: `/${bucket}/${key}?uploads=` })
  const id = /<UploadId>([^<]*)</.exec(body.toString())?.[1]
  assert.ok(id, body.toString())
  return id
}

async function part(ask: Ask, bucket: string, key: string, id: string, number: number, body: Buffer): Promise<Part> {
  const answer = await ask({ method: 'PUT', url: `/${bucket}/${key}?partNumber=${number}&uploadId=${id}`, body })
  assert.equal(answer.status, 200)
  return { number, etag: String(answer.headers['etag']).replaceAll('"', '') }
}

function complete(ask: Ask, bucket: string, key: string, id: string, parts: readonly Part[]): Promise<RawAnswer> {
  const list = parts.map(({ number, etag }) => `<Part><PartNumber>${number}</PartNumber><ETag>"${etag}"</ETag></Part>`)
  const body = Buffer.from(`<CompleteMultipartUpload>${list.join('')}</CompleteMultipartUpload>`)
  return ask({ method: 'POST', url: `/${bucket}/${key}?uploadId=${id}`, body })
}

const outcome = ({ status, code }: RawAnswer) => [status, code]

/** A store may have sent its 200 before it found the fault (the protocol allows it), so only the word counts. */
const codeOf = ({ body }: RawAnswer): string | undefined => /<Code>([^<]*)</.exec(body.toString())?.[1]

/** A time whose last digit is not 0, so that changing it to 0 changes it. */
const odd = (): Date => new Date(Math.floor(Date.now() / 10_000) * 10_000 + 5000)
