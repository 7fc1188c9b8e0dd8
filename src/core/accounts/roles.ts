// Roles: permissions and attribute permissions. Contract 2 §2.
import type * as v from 'valibot'
import { alreadyExists, conflict } from '../../kernel/errors.ts'
import {
  ADMIN_ROLE_ID,
  assertAttributesExist,
  defineRole,
  isBuiltInRole,
  type Role,
  type RoleInput,
} from './rules/permissions.ts'
import type { Store, Transaction } from '../../store/port.ts'
import type { System } from '../../kernel/machine/system.ts'
import { assertHasAllOf } from './authority.ts'
import { noteModelChange } from '../model/model-entries.ts'
import type { Caller } from './caller.ts'
import { keepAnswer } from '../requests/idempotent-requests.ts'

type Input = v.InferOutput<typeof RoleInput>

export function createRoleService(deps: { store: Store; system: System }) {
  const { store, system } = deps

  return {
    list: (_caller: Caller): AsyncGenerator<readonly Role[], void> => store.read.roles.pages(),

    /** @throws NOT_FOUND */
    get: (_caller: Caller, id: string): Promise<Role> => store.read.roles.find(id),

    /** @throws CONFLICT for an ID that exists, VALIDATION_ERROR, PERMISSION_DENIED for more rights than the caller has */
    async create(caller: Caller, input: Input): Promise<Role> {
      const role = defineRole(input.id ?? system.newId('role'), input)
      return store.transaction(async (tx) => {
        assertAttributesExist(role, await tx.model(), undefined)
        await assertHasAllOf(tx, caller, role, 'You may not make this role')
        if ((await tx.roles.get(role.id)) !== undefined) throw alreadyExists('Role', role.id)
        await tx.roles.insert(role)
        noteModelChange(tx, system, caller, { entityType: 'role', after: role })
        return keepAnswer(tx, caller, role)
      })
    },

    /**
     * Replaces a role. Neither the old nor the new role may exceed the caller's role.
     * @throws NOT_FOUND, CONFLICT for the admin's role, VALIDATION_ERROR, PERMISSION_DENIED
     */
    async replace(caller: Caller, id: string, input: Input): Promise<Role> {
      const role = defineRole(id, input)
      return store.transaction(async (tx) => {
        const before = await tx.roles.find(id)
        if (id === ADMIN_ROLE_ID) throw conflict(`The role '${id}' cannot be changed`)
        assertAttributesExist(role, await tx.model(), before)
        for (const either of [before, role]) await assertHasAllOf(tx, caller, either, 'You may not change this role')
        await tx.roles.update(role)
        noteModelChange(tx, system, caller, { entityType: 'role', before, after: role })
        return role
      })
    },

    /**
     * @throws NOT_FOUND
     * @throws CONFLICT for a role that is built in or in use
     */
    async delete(caller: Caller, id: string): Promise<void> {
      await store.transaction(async (tx) => {
        const before = await tx.roles.find(id)
        if (isBuiltInRole(id)) throw conflict(`The role '${id}' is built in and cannot be deleted`)
        const use = await findUse(tx, id)
        if (use !== undefined) throw conflict(`The role '${id}' is used by ${use}`)
        await tx.roles.delete(id)
        noteModelChange(tx, system, caller, { entityType: 'role', before })
      })
    },
  }
}

/** A user or key with the role, for a message. */
async function findUse(tx: Transaction, roleId: string): Promise<string | undefined> {
  const user = (await tx.users.list()).find((candidate) => candidate.roleId === roleId)
  if (user !== undefined) return `the user '${user.id}'`
  const key = (await tx.apiKeys.list()).find((candidate) => candidate.roleId === roleId)
  if (key !== undefined) return `the API key '${key.id}'`
  for (const workflow of await tx.workflows.list()) {
    const transition = workflow.transitions.find((candidate) => candidate.allowedRoleIds.includes(roleId))
    if (transition !== undefined) return `the transition '${transition.id}' of the workflow '${workflow.id}'`
  }
  return undefined
}
