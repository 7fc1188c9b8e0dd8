// Use cases of templates of product sheets. Contract 5 §4.
import type { Caller } from '../core/accounts/caller.ts'
import type { Role } from '../core/accounts/rules/permissions.ts'
import { noteModelChange } from '../core/model/model-entries.ts'
import { keepAnswer } from '../core/requests/idempotent-requests.ts'
import { invalid, PimletError, shorten } from '../kernel/errors.ts'
import type { System } from '../kernel/machine/system.ts'
import type { Store, Transaction } from '../store/port.ts'
import { endLinksOf } from './sheet-links.ts'
import { assertTemplate, MAX_TEMPLATES, type SheetTemplate, type SheetTemplateFields } from './rules/sheet-template.ts'

export function createSheetTemplateService({ store, system }: { readonly store: Store; readonly system: System }) {
  return {
    /** In the order of creation. */
    list: (_caller: Caller): AsyncGenerator<readonly SheetTemplate[], void> => store.read.sheetTemplates.pages(),

    /** @throws NOT_FOUND */
    get: (_caller: Caller, id: string): Promise<SheetTemplate> => store.read.sheetTemplates.find(id),

    /** @throws VALIDATION_ERROR, PERMISSION_DENIED, CONFLICT for an ID that exists, LIMIT_EXCEEDED */
    create: (caller: Caller, { id = system.newId('sht'), ...fields }: SheetTemplateFields): Promise<SheetTemplate> =>
      store.transaction(async (tx) => {
        await assertFits(tx, fields, caller.role)
        if ((await tx.sheetTemplates.list()).length >= MAX_TEMPLATES)
          throw new PimletError('LIMIT_EXCEEDED', `A workspace has at most ${MAX_TEMPLATES} sheet templates`)
        const now = system.now().toISOString()
        const template: SheetTemplate = { id, ...fields, createdAt: now, updatedAt: now }
        await tx.sheetTemplates.insert(template)
        noteModelChange(tx, system, caller, { entityType: 'sheetTemplate', after: template })
        return keepAnswer(tx, caller, template)
      }),

    /** @throws NOT_FOUND, VALIDATION_ERROR, PERMISSION_DENIED */
    replace: (caller: Caller, id: string, { id: _id, ...fields }: SheetTemplateFields): Promise<SheetTemplate> =>
      store.transaction(async (tx) => {
        const before = await tx.sheetTemplates.find(id)
        await assertFits(tx, fields, caller.role)
        const { createdAt } = before
        const template: SheetTemplate = { id, ...fields, createdAt, updatedAt: system.now().toISOString() }
        await tx.sheetTemplates.update(template)
        noteModelChange(tx, system, caller, { entityType: 'sheetTemplate', before, after: template })
        return template
      }),

    /** Its links end. @throws NOT_FOUND */
    delete: (caller: Caller, id: string): Promise<void> =>
      store.transaction(async (tx) => {
        const before = await tx.sheetTemplates.find(id)
        await endLinksOf(tx, system, caller, id)
        await tx.sheetTemplates.delete(id)
        noteModelChange(tx, system, caller, { entityType: 'sheetTemplate', before })
      }),
  }
}

async function assertFits(tx: Transaction, fields: Omit<SheetTemplateFields, 'id'>, role: Role): Promise<void> {
  assertTemplate(fields, await tx.model(), role)
  if ((await tx.renditionPresets.get(fields.preset)) === undefined)
    throw invalid(`preset names the unknown rendition preset '${shorten(fields.preset, 128)}'`)
}
