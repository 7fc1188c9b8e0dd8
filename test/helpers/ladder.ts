// The first steps of the ladder that every endpoint is tested by: no credential, no permission, nothing there.
import { assertRefused, send } from './answers.ts'
import type { Client } from './client.ts'
import type { Workspace } from './shirts.ts'

export interface Endpoint {
  readonly method: string
  readonly path: string
  readonly body?: unknown
}

/** Without a credential 401; with every permission but the one that is needed 403 naming it. */
export async function assertGuarded(shop: Workspace, endpoint: Endpoint, permission: string): Promise<void> {
  const { method, path, body } = endpoint
  assertRefused(await send(shop.anonymous, method, path, body), 'UNAUTHORIZED')
  const without = await clientWithout(shop, permission)
  assertRefused(await send(without, method, path, body), 'PERMISSION_DENIED', permission)
}

/** An unknown ID is 404, naming the type and the ID; one called like a member of Object is unknown, too. */
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
