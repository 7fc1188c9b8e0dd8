// The first checks of every endpoint: no credential, no permission, an unknown ID.
import { assertRefused, send } from './answers.ts'
import type { Client } from './client.ts'
import type { Workspace } from './shirts.ts'

export interface Endpoint {
  readonly method: string
  readonly path: string
  readonly body?: unknown
}

/** Checks 401 without a credential, and 403 with every permission except the needed one, which the message names. */
export async function assertGuarded(shop: Workspace, endpoint: Endpoint, permission: string): Promise<void> {
  const { method, path, body } = endpoint
  assertRefused(await send(shop.anonymous, method, path, body), 'UNAUTHORIZED')
  const without = await clientWithout(shop, permission)
  assertRefused(await send(without, method, path, body), 'PERMISSION_DENIED', permission)
}

/** Checks that an unknown ID is 404 with type and ID, even if named like a member of Object. */
export async function assertNotFound(
  client: Client,
  resource: string,
  endpointOf: (id: string) => Endpoint,
): Promise<void> {
  for (const id of ['gone', 'hasOwnProperty', '__proto__', 'a%20b']) {
    const { method, path, body } = endpointOf(id)
    assertRefused(await send(client, method, path, body), 'NOT_FOUND', resource, decodeURIComponent(id))
  }
}

const clients = new WeakMap<Workspace, Map<string, Client>>()

async function clientWithout(shop: Workspace, permission: string): Promise<Client> {
  const known = clients.get(shop) ?? new Map<string, Client>()
  clients.set(shop, known)
  const others = (
    [
      'records.read',
      'records.create',
      'records.update',
      'records.delete',
      'audit.read',
      'model.read',
      'model.write',
      'categories.write',
      'users.manage',
    ] as const
  ).filter((other) => other !== permission)
  const client = known.get(permission) ?? (await shop.clientWith(others))
  known.set(permission, client)
  return client
}
