// Use cases of rendition presets. Contract 4 §3.
import { noteModelChange } from '../core/model/model-entries.ts'
import { keepAnswer } from '../core/requests/idempotent-requests.ts'
import type { Caller } from '../core/accounts/caller.ts'
import { conflict, PimletError } from '../kernel/errors.ts'
import type { System } from '../kernel/machine/system.ts'
import type { Reads, Store } from '../store/port.ts'
import { definePreset, MAX_PRESETS, ORIGINAL, type Preset, type PresetFields, THUMB } from './rules/presets.ts'

export function createRenditionPresetService({ store, system }: { store: Store; system: System }) {
  return {
    /** In the order of creation. */
    list: (_caller: Caller): AsyncGenerator<readonly Preset[], void> => store.read.renditionPresets.pages(),

    /** @throws NOT_FOUND */
    get: (_caller: Caller, id: string): Promise<Preset> => store.read.renditionPresets.find(id),

    /** @throws VALIDATION_ERROR, CONFLICT for an ID that exists, LIMIT_EXCEEDED */
    create: (caller: Caller, { id = system.newId('rp'), ...fields }: PresetFields): Promise<Preset> =>
      store.transaction(async (tx) => {
        const preset = definePreset(id, fields)
        if ((await tx.renditionPresets.list()).length >= MAX_PRESETS)
          throw new PimletError('LIMIT_EXCEEDED', `A workspace has at most ${MAX_PRESETS} rendition presets`)
        await tx.renditionPresets.insert(preset)
        noteModelChange(tx, system, caller, { entityType: 'renditionPreset', after: preset })
        return keepAnswer(tx, caller, preset)
      }),

    /** @throws NOT_FOUND, VALIDATION_ERROR, CONFLICT for the preset original */
    replace: (caller: Caller, id: string, { id: _id, ...fields }: PresetFields): Promise<Preset> =>
      store.transaction(async (tx) => {
        const before = await findChangeable(tx, id)
        const preset = definePreset(id, fields)
        await tx.renditionPresets.update(preset)
        noteModelChange(tx, system, caller, { entityType: 'renditionPreset', before, after: preset })
        return preset
      }),

    /** @throws NOT_FOUND, CONFLICT for the presets original and thumb */
    delete: (caller: Caller, id: string): Promise<void> =>
      store.transaction(async (tx) => {
        const before = await findChangeable(tx, id)
        if (id === THUMB)
          throw conflict(`The rendition preset '${THUMB}' cannot be deleted: include=image gives its addresses`)
        await tx.renditionPresets.delete(id)
        noteModelChange(tx, system, caller, { entityType: 'renditionPreset', before })
      }),
  }
}

/** @throws NOT_FOUND, CONFLICT */
async function findChangeable(reads: Pick<Reads, 'renditionPresets'>, id: string): Promise<Preset> {
  const preset = await reads.renditionPresets.find(id)
  if (id === ORIGINAL) throw conflict(`The rendition preset '${ORIGINAL}' can neither be changed nor deleted`)
  return preset
}
