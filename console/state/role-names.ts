// Names of roles, for users who may read roles; everybody else sees the names of built-in roles, and IDs.
import { t } from '../words/place.ts'
import { useConsole, useQuery } from './context.ts'

const BUILT_IN = {
  'role-admin': 'role.admin',
  'role-editor': 'role.editor',
  'role-viewer': 'role.viewer',
} as const

export function useRoleNames(ids: readonly string[]): string[] {
  return ids.map(useRoleName())
}

export function useRoleName(): (id: string) => string {
  const { call, model } = useConsole()
  const may = model.may('users.manage')
  const query = useQuery('roles', async (signal) => (may ? (await call('GET /api/v1/roles', { signal })).body : []))
  return (id) => {
    const known = query.data.value?.find((role) => role.id === id)?.name
    if (known !== undefined) return known
    return Object.hasOwn(BUILT_IN, id) ? t(BUILT_IN[id as keyof typeof BUILT_IN]) : id
  }
}
