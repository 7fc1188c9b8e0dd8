// Use cases of import profiles. Profiles are checked when they are saved, and again when they are used. Contract 3 §4.
import type * as v from 'valibot'
import { invalid, shorten } from '../kernel/errors.ts'
import {
  assertMapping,
  type ImportMapping,
  type ImportProfile,
  type ImportProfileInput,
} from './rules/import-profile.ts'
import { assertMayMatch } from './rules/import-setting.ts'
import type { Role } from '../core/accounts/rules/permissions.ts'
import type { Reads, Store } from '../store/port.ts'
import type { System } from '../kernel/machine/system.ts'
import type { Caller } from '../core/accounts/caller.ts'
import { keepAnswer } from '../core/requests/idempotent-requests.ts'

type Input = v.InferOutput<typeof ImportProfileInput>

export function createImportProfileService({ store, system }: { store: Store; system: System }) {
  return {
    list: (): AsyncGenerator<readonly ImportProfile[], void> => store.read.importProfiles.pages(),

    /** @throws NOT_FOUND */
    get: (_caller: Caller, id: string): Promise<ImportProfile> => store.read.importProfiles.find(id),

    /**
     * @throws VALIDATION_ERROR if the profile does not fit the model
     * @throws PERMISSION_DENIED if `matchBy` is hidden from the caller
     * @throws CONFLICT for an ID that exists
     */
    create: (caller: Caller, input: Input): Promise<ImportProfile> =>
      store.transaction(async (tx) => {
        const profile = toProfile(input.id ?? system.newId('ipr'), input)
        await assertMayKeep(tx, caller.role, profile)
        await tx.importProfiles.insert(profile)
        return keepAnswer(tx, caller, profile)
      }),

    /** @throws NOT_FOUND, VALIDATION_ERROR, PERMISSION_DENIED as `create` does */
    replace: ({ role }: Caller, id: string, input: Input): Promise<ImportProfile> =>
      store.transaction(async (tx) => {
        await tx.importProfiles.find(id)
        const profile = toProfile(id, input)
        await assertMayKeep(tx, role, profile)
        await tx.importProfiles.update(profile)
        return profile
      }),

    /** @throws NOT_FOUND */
    delete: (_caller: Caller, id: string): Promise<void> =>
      store.transaction(async (tx) => {
        await tx.importProfiles.find(id)
        await tx.importProfiles.delete(id)
      }),
  }
}

/** Finds the profile that a request names in `field`. @throws VALIDATION_ERROR */
export async function namedProfile(
  reads: Pick<Reads, 'importProfiles'>,
  field: string,
  id: string,
): Promise<ImportProfile> {
  const profile = await reads.importProfiles.get(id)
  if (profile === undefined) throw invalid(`${field} names the unknown import profile '${shorten(id, 128)}'`)
  return profile
}

async function assertMayKeep(
  reads: Pick<Reads, 'model' | 'catalogs'>,
  role: Role,
  profile: ImportProfile,
): Promise<void> {
  const model = await reads.model()
  assertMapping(profile, model)
  assertMayMatch(role, profile, model)
  await assertCatalogs(reads, profile)
}

/** A mapping may bring its catalogs along. @throws VALIDATION_ERROR */
export async function assertCatalogs(
  reads: Pick<Reads, 'catalogs'>,
  { columns, model }: Pick<ImportMapping, 'columns' | 'model'>,
): Promise<void> {
  for (const [index, { catalogId }] of columns.entries()) {
    if (catalogId === undefined || model?.catalogs.some(({ id }) => id === catalogId)) continue
    if ((await reads.catalogs.get(catalogId)) !== undefined) continue
    throw invalid(`columns[${index}].catalogId names the unknown catalog '${shorten(catalogId, 128)}'`)
  }
}

function toProfile(id: string, { name, schemaId, mode, matchBy, emptyCells, columns }: Input): ImportProfile {
  return { id, name, schemaId, mode, matchBy, emptyCells, columns }
}
