// The model that the role may see, and the permissions of the role, for every screen. Contract 3 §7, 3 §9.6, 3 §11. The
// domain contains the rules: answers of the server are converted to its types.
import { computed, type ReadonlySignal, signal } from '@preact/signals'
import type { Call } from '../api/call.ts'
import { type AttributeAccess, hasPermission, type Permission } from '../../src/core/accounts/rules/permissions.ts'
import type { Attribute } from '../../src/core/model/rules/attributes.ts'
import type { Dimension } from '../../src/core/model/rules/dimension.ts'
import { type Model, Schema, type SchemaDefinition } from '../../src/core/model/rules/model.ts'
import { withKnownNames } from '../../src/core/model/rules/known-names.ts'
import type { Named } from '../../src/core/model/rules/names.ts'
import type { Workflow } from '../../src/core/model/rules/workflow.ts'
import { type Scope, segmentOf } from '../../src/core/scopes/scope.ts'
import type { Endpoints } from '../api/types.ts'
import { own } from '../../src/kernel/own.ts'

type Me = Endpoints['GET /api/v1/me']['reply']
type SeenModel = Endpoints['GET /api/v1/me/model']['reply']

/** A schema with its names, for display; `rules` is for functions of the domain. */
export interface SeenSchema extends Omit<SchemaDefinition, 'attributes'> {
  readonly attributes: readonly Attribute[]
  readonly rules: Schema
  /** Attributes with a hidden guard: only the server knows where they are visible. */
  readonly masked: ReadonlySet<string>
}

interface Workspace {
  readonly me: Me
  readonly model: Model
  readonly dimensions: readonly Dimension[]
  readonly schemas: ReadonlyMap<string, SeenSchema>
  readonly workflows: ReadonlyMap<string, Workflow>
  readonly catalogs: readonly { readonly id: string; readonly name: string }[]
}

export class ModelState {
  readonly #call: Call
  readonly #language: ReadonlySignal<string>
  readonly #workspace = signal<Workspace | null>(null)
  /** Null until it is loaded, and if the role may not read records. */
  readonly workspace: ReadonlySignal<Workspace | null> = this.#workspace
  readonly #me = signal<Me | null>(null)
  readonly me: ReadonlySignal<Me | null> = this.#me
  readonly dimensions = computed(() => this.#workspace.value?.dimensions ?? [])
  readonly schemas = computed(() => [...(this.#workspace.value?.schemas.values() ?? [])])

  constructor(call: Call, language: ReadonlySignal<string>) {
    this.#call = call
    this.#language = language
  }

  /** Reads the model, or reads it again. @throws the errors of a call */
  async load(): Promise<void> {
    const asked = this.#call('GET /api/v1/me/model').catch((error: unknown) => error as Error)
    const { body: me } = await this.#call('GET /api/v1/me')
    this.#me.value = me
    const answer = await asked
    if (!(answer instanceof Error)) this.#workspace.value = workspaceOf(me, answer.body)
    else if (me.permissions.includes('records.read')) throw answer
  }

  may(permission: Permission): boolean {
    const me = this.#me.value
    return me !== null && hasPermission({ id: me.roleId, permissions: me.permissions }, permission)
  }

  schema(id: string): SeenSchema | undefined {
    return this.#workspace.value?.schemas.get(id)
  }

  /** Returns the role's access to an attribute: the explicit entry, or else the default. */
  access(schemaId: string, alias: string): AttributeAccess {
    const me = this.#me.value
    if (me === null) return 'none'
    const ofSchema = own(me.attributePermissions, schemaId)
    return own(ofSchema, alias) ?? me.defaultAttributePermission
  }

  /** The name of a part of the model in the language of the console. */
  nameOf(named: Named): string {
    return nameIn(named, this.#language.value)
  }

  segmentName(dimensionId: string, segmentId: string): string {
    const segment = this.#dimension(dimensionId)?.segments.find(({ id }) => id === segmentId)
    return segment === undefined ? segmentId : this.nameOf(segment)
  }

  stateName(workflowId: string, stateId: string): string {
    const state = this.#workspace.value?.workflows.get(workflowId)?.states.find(({ id }) => id === stateId)
    return state === undefined ? stateId : this.nameOf(state)
  }

  schemaName(id: string): string {
    const schema = this.schema(id)
    return schema === undefined ? id : this.nameOf(schema)
  }

  attributeName(schemaId: string, alias: string): string {
    const attribute = this.schema(schemaId)?.rules.attribute(alias)
    return attribute === undefined ? alias : this.nameOf(attribute)
  }

  /** `Deutsch · Europe`, in the order of the dimensions; '' for the global scope. */
  scopeName(scope: Scope): string {
    const named = this.dimensions.value.flatMap(({ id }) => {
      const segment = segmentOf(scope, id)
      return segment === undefined ? [] : [this.segmentName(id, segment)]
    })
    return named.join(' · ')
  }

  #dimension(id: string): Dimension | undefined {
    return this.#workspace.value?.model.dimensions.get(id)
  }
}

/** `pt-BR` falls back to the name in `pt`. */
export function nameIn({ name, names = {} }: Named, language: string): string {
  return own(names, language) ?? own(names, language.split('-')[0]!) ?? name
}

export function workspaceOf(me: Me, seen: SeenModel): Workspace {
  const schemas = new Map(seen.schemas.map((schema) => [schema.id, seenSchema(schema)]))
  const dimensions = seen.dimensions as readonly Dimension[]
  const workflows = new Map(seen.workflows.map((workflow) => [workflow.id, withKnownNames(workflow)]))
  const model: Model = {
    dimensions: new Map(dimensions.map((dimension) => [dimension.id, dimension])),
    workflows,
    schemas: new Map([...schemas].map(([id, { rules }]) => [id, rules])),
    roles: new Map(),
    pending: undefined,
  }
  return { me, model, dimensions, schemas, workflows, catalogs: seen.catalogs }
}

function seenSchema(schema: SeenModel['schemas'][number]): SeenSchema {
  const isMasked = ({ guard }: { guard: unknown }) => typeof guard === 'string'
  const attributes = schema.attributes.map((attribute) =>
    isMasked(attribute) ? { ...attribute, guard: null } : attribute,
  ) as unknown as Attribute[]
  const definition: SchemaDefinition = { ...schema, attributes }
  const masked = new Set(schema.attributes.filter(isMasked).map(({ alias }) => alias))
  return { ...definition, rules: new Schema(definition), masked }
}
