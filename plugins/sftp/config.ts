// The `destinationConfig` of an sftp job: its fields, their limits, and which belong together. Contract 2 §6.
import * as v from 'valibot'

const text = (max: number) => v.pipe(v.string(), v.nonEmpty('must not be empty'), v.maxLength(max))

const fingerprint = v.pipe(
  v.string(),
  v.description(
    "Fingerprint of the server's key, as `ssh-keygen -l` prints it. Required unless acceptAnyHostKey is true.",
  ),
  v.transform((value) =>
    value
      .trim()
      .replace(/^SHA256:/, '')
      .replace(/=$/, ''),
  ),
  v.regex(
    /^[A-Za-z0-9+/]{42}[AEIMQUYcgkosw048]$/,
    'must be a fingerprint as `ssh-keygen -l` prints it: SHA256: and 43 characters',
  ),
)

export const configSchema = v.pipeAsync(
  v.object({
    host: v.pipe(
      text(253),
      v.description('Name or address.'),
      v.regex(/^[A-Za-z0-9._:%[\]-]+$/, 'must be a host name or an address, without a port'),
    ),
    port: v.optional(v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(65_535)), 22),
    username: text(256),
    path: v.optional(
      v.pipe(
        v.string(),
        v.description('A directory that exists: absolute, or relative to the one in which a session begins.'),
        v.maxLength(1024),
        v.regex(/^[^\0\r\n]*$/, 'must be one line'),
      ),
      '',
    ),
    password: v.optional(v.pipe(text(1024), v.description('Either it or privateKey is required.'))),
    privateKey: v.optional(v.pipe(text(32_768), v.description('In OpenSSH, PEM or PuTTY form, with its line breaks.'))),
    passphrase: v.optional(v.pipe(text(1024), v.description('Of an encrypted private key.'))),
    hostKeySha256: v.optional(fingerprint),
    acceptAnyHostKey: v.optional(
      v.pipe(v.boolean(), v.description('Trusts any server, with the password too: for tests.')),
      false,
    ),
    timeoutSeconds: v.optional(
      v.pipe(v.number(), v.minValue(1), v.maxValue(600), v.description('How long a connection may be silent.')),
      60,
    ),
  }),
  v.forward(
    v.check(
      ({ password, privateKey }) => (password === undefined) !== (privateKey === undefined),
      'give either password or privateKey',
    ),
    ['password'],
  ),
  v.forward(
    v.check(
      ({ hostKeySha256, acceptAnyHostKey }) => hostKeySha256 !== undefined || acceptAnyHostKey,
      'is required, as printed by `ssh-keyscan HOST | ssh-keygen -lf -` (or set acceptAnyHostKey to true, which trusts any server)',
    ),
    ['hostKeySha256'],
  ),
  v.forwardAsync(
    v.checkAsync(
      async ({ privateKey, passphrase }) => privateKey === undefined || (await isPrivateKey(privateKey, passphrase)),
      'is no private key that can be read (OpenSSH, PEM or PuTTY form), or its passphrase is missing or wrong',
    ),
    ['privateKey'],
  ),
)

export type SftpConfig = v.InferOutput<typeof configSchema>

async function isPrivateKey(key: string, passphrase: string | undefined): Promise<boolean> {
  const { default: ssh2 } = await import('ssh2')
  const parsed: unknown = ssh2.utils.parseKey(key, passphrase)
  const first: unknown = Array.isArray(parsed) ? parsed[0] : parsed
  return !(first instanceof Error) && (first as { isPrivateKey(): boolean }).isPrivateKey()
}
