// Access tokens: JWT, signed with HS256 and a key of the data directory, for 24 hours. Home of jose. Contract 1 §5, 2 §2.
import { jwtVerify, SignJWT } from 'jose'
import { unauthorized } from '../../kernel/errors.ts'
import type { System } from '../../kernel/machine/system.ts'

/** Seconds. */
const TOKEN_LIFETIME = 24 * 60 * 60
const ALGORITHM = 'HS256'
const ISSUER = 'pimlet'
const MAX_TOKEN_LENGTH = 4096
const MAX_REMEMBERED = 10_000

export interface TokenContent {
  /** Names this token alone. */
  readonly id: string
  readonly userId: string
  /** The user's `tokenGeneration` when it was issued. */
  readonly generation: number
  /** Seconds since 1970. */
  readonly expiresAt: number
}

/**
 * The message for a wrong Bearer credential. The form alone identifies an API key, so the answer does not reveal valid
 * keys.
 */
const NOT_A_TOKEN = 'The Bearer credential is not an access token. Send an API key in the header X-Service-ApiKey'

export function createTokens(system: System, signingKey: Uint8Array) {
  /** Cached tokens with a valid signature; whether a token still applies is checked each time. */
  const remembered = new Map<string, TokenContent>()

  async function verify(token: string): Promise<TokenContent> {
    const { payload } = await jwtVerify(token, signingKey, {
      algorithms: [ALGORITHM],
      issuer: ISSUER,
      requiredClaims: ['sub', 'iat', 'exp', 'gen', 'jti'],
      currentDate: system.now(),
    })
    const { sub, exp, gen, jti } = payload
    if (sub === undefined || exp === undefined || jti === undefined || typeof gen !== 'number') throw unauthorized()
    return { id: jti, userId: sub, generation: gen, expiresAt: exp }
  }

  return {
    async issue(userId: string, generation: number): Promise<{ token: string; expiresAt: Date }> {
      const issuedAt = Math.floor(system.now().getTime() / 1000)
      const expiresAt = issuedAt + TOKEN_LIFETIME
      const token = await new SignJWT({ gen: generation, jti: system.randomBytes(12).toString('base64url') })
        .setProtectedHeader({ alg: ALGORITHM, typ: 'JWT' })
        .setIssuer(ISSUER)
        .setSubject(userId)
        .setIssuedAt(issuedAt)
        .setExpirationTime(expiresAt)
        .sign(signingKey)
      return { token, expiresAt: new Date(expiresAt * 1000) }
    },

    /** @throws UNAUTHORIZED for a token that is not ours, changed or expired */
    async read(token: string): Promise<TokenContent> {
      let content = remembered.get(token)
      if (content === undefined) {
        if (!token.includes('.')) throw unauthorized(NOT_A_TOKEN)
        if (token.length > MAX_TOKEN_LENGTH || !isCanonical(token)) throw unauthorized()
        content = await verify(token).catch(() => {
          throw unauthorized()
        })
        if (remembered.size >= MAX_REMEMBERED) remembered.clear()
        remembered.set(token, content)
      }
      if (content.expiresAt * 1000 <= system.now().getTime()) {
        remembered.delete(token)
        throw unauthorized()
      }
      return content
    },
  }
}

/** A token has one spelling. jose also accepts padding, line breaks and stray bits, so this is checked first. */
function isCanonical(token: string): boolean {
  const parts = token.split('.')
  return parts.length === 3 && parts.every((part) => Buffer.from(part, 'base64url').toString('base64url') === part)
}

export type Tokens = ReturnType<typeof createTokens>
