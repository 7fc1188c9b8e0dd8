// Messages between tabs of one browser.

/** The answer to a login. */
export interface Token {
  readonly accessToken: string
  readonly expiresAt: string
  readonly user: { readonly id: string; readonly username: string; readonly name: string; readonly roleId: string }
}

export type TabMessage =
  | { readonly kind: 'ask'; readonly refused: string | null }
  | { readonly kind: 'token'; readonly token: Token }
  | { readonly kind: 'out' }

export function isTabMessage(data: unknown): data is TabMessage {
  if (!isObject(data)) return false
  return data['kind'] === 'ask' || data['kind'] === 'out' || (data['kind'] === 'token' && isToken(data['token']))
}

export function isToken(data: unknown): data is Token {
  if (!isObject(data) || !isObject(data['user'])) return false
  return (
    typeof data['accessToken'] === 'string' &&
    typeof data['expiresAt'] === 'string' &&
    typeof data['user']['id'] === 'string'
  )
}

function isObject(data: unknown): data is Readonly<Record<string, unknown>> {
  return typeof data === 'object' && data !== null
}
