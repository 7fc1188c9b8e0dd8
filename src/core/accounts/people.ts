// The caller, the caller's preferences, and the names of people for histories. Contract 2 §2, 3 §7, 3 §11.
import { type JsonObject, preferencesId } from './rules/preferences.ts'
import type { Store } from '../../store/port.ts'
import type { Caller } from './caller.ts'

export function createPeopleService(deps: { store: Store; workspaceName: string; maxRecords: number }) {
  const { store, workspaceName } = deps
  const maxRecords = deps.maxRecords === 0 ? null : deps.maxRecords
  return {
    describeCaller({ id, kind, name, role }: Caller) {
      const { permissions, defaultAttributePermission, attributePermissions } = role
      const rights = { permissions, defaultAttributePermission, attributePermissions }
      return { id, kind, name, roleId: role.id, ...rights, workspace: { name: workspaceName, maxRecords } }
    },

    /** Lists existing users, then existing API keys, each in the order of creation. */
    listPeople: (_caller: Caller) =>
      store.snapshot(async (reads) => [
        ...(await reads.users.list()).map(({ id, name }) => ({ id, kind: 'user' as const, name })),
        ...(await reads.apiKeys.list()).map(({ id, name }) => ({ id, kind: 'apiKey' as const, name })),
      ]),

    /** The preferences of the caller; empty at first. */
    async getPreferences({ kind, id }: Caller): Promise<JsonObject> {
      return (await store.read.preferences.get(preferencesId(kind, id)))?.values ?? {}
    },

    /** Replaces all preferences of the caller. */
    setPreferences: (caller: Caller, values: JsonObject): Promise<JsonObject> =>
      store.transaction(async (tx) => {
        const id = preferencesId(caller.kind, caller.id)
        const isKnown = (await tx.preferences.get(id)) !== undefined
        await (isKnown ? tx.preferences.update({ id, values }) : tx.preferences.insert({ id, values }))
        return values
      }),
  }
}
