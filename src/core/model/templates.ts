// The use cases of templates: listing them, and making the model of a template. Contract 5 §1.
import { notFound } from '../../kernel/errors.ts'
import { readDemoFile } from '../../kernel/executable/assets.ts'
import type { System } from '../../kernel/machine/system.ts'
import type { Store } from '../../store/port.ts'
import type { Caller } from '../accounts/caller.ts'
import { assertPermission } from '../accounts/rules/permissions.ts'
import { keepAnswer } from '../requests/idempotent-requests.ts'
import { makeModel } from './new-models.ts'
import { nameOfLanguage } from './rules/language-dimension.ts'
import { type Template, TEMPLATE_IDS, type TemplateChoice, templateModel } from './rules/schema-template.ts'

export function createTemplateService({ store, system }: { readonly store: Store; readonly system: System }) {
  return {
    list: (_caller: Caller) => TEMPLATE_IDS.map((id) => viewOf(readTemplate(id))),

    /**
     * Makes all parts of the model, or none. @throws NOT_FOUND, PERMISSION_DENIED, CONFLICT for a schema or catalog
     * that exists
     */
    apply: (caller: Caller, id: string, choice: TemplateChoice) =>
      store.transaction(async (tx) => {
        assertPermission(caller.role, 'categories.write')
        const template = readTemplate(TEMPLATE_IDS.find((known) => known === id) ?? missing(id))
        const parts = templateModel(template, choice, await tx.model(), nameOfLanguage)
        const made = await makeModel(tx, { system, caller }, parts)
        const [schema, catalog] = [made.schemas[0]!, made.catalogs[0]!]
        return keepAnswer(tx, caller, { schemaId: schema.id, workflowId: schema.workflowId, catalogId: catalog.id })
      }),
  }
}

function missing(id: string): never {
  throw notFound('Template', id)
}

function readTemplate(id: (typeof TEMPLATE_IDS)[number]): Template {
  return JSON.parse(readDemoFile(`templates/${id}.json`)) as Template
}

function viewOf({ id, names, descriptions, schema, catalog }: Template) {
  const [{ en: name = id, ...otherNames }, { en: description = '', ...others }] = [names, descriptions]
  const counts = { attributes: schema.attributes.length, categories: catalog.categories.length }
  return { id, name, names: otherNames, description, descriptions: others, schemaId: schema.id, ...counts }
}
