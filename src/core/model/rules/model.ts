// The whole model of a workspace: dimensions, workflows, schemas and roles by ID, prepared for look-ups. Contract 2 §3.
// Maps, not objects: IDs and aliases may be called `constructor`.
import type { Attribute } from './attributes.ts'
import { dataTypeOf } from '../../datatypes/data-types.ts'
import type { DataType, ValuePart } from '../../datatypes/data-type.ts'
import { aliasOfPart } from '../../values/value-parts.ts'
import type { Dimension } from './dimension.ts'
import type { Role } from '../../accounts/rules/permissions.ts'
import type { Named } from './names.ts'
import type { Presentation } from './presentation.ts'
import type { Scope } from '../../scopes/scope.ts'
import type { Workflow } from './workflow.ts'

/** A stored schema. Clients receive it without guards that are hidden from them. */
export interface SchemaDefinition extends Named, Presentation {
  readonly id: string
  readonly workflowId: string
  readonly attributes: readonly Attribute[]
  readonly combinations: readonly Scope[] | null
  readonly createdAt: string
  readonly updatedAt: string
}

/** A schema with its attributes by alias. */
export class Schema {
  readonly id: string
  readonly workflowId: string
  readonly attributes: readonly Attribute[]
  readonly combinations: readonly Scope[] | null
  /** The attribute that labels a record; undefined: the first text. */
  readonly labelAttribute: string | undefined
  /** The attribute whose first picture is the record's picture: a file, or references to records with a picture. */
  readonly imageAttribute: string | undefined
  /** The attributes, and the parts of their values as separate attributes, such as `content.size`, for searches. */
  readonly searched: readonly Attribute[]
  /** The attributes whose values name records or files. Most schemas have few, and each write reads this list. */
  readonly naming: readonly Attribute[]
  /** Attributes whose values name files. */
  readonly fileAttributes: readonly Attribute[]
  readonly #byAlias: ReadonlyMap<string, Attribute>
  readonly #searched: ReadonlyMap<string, Attribute>

  constructor(definition: Omit<SchemaDefinition, 'name' | 'createdAt' | 'updatedAt'>) {
    this.id = definition.id
    this.workflowId = definition.workflowId
    this.attributes = definition.attributes
    this.combinations = definition.combinations
    this.labelAttribute = definition.labelAttribute
    this.imageAttribute = definition.imageAttribute
    this.#byAlias = new Map(definition.attributes.map((attribute) => [attribute.alias, attribute]))
    this.naming = definition.attributes.filter((attribute) => namesAny(dataTypeOf(attribute)))
    this.fileAttributes = this.naming.filter((attribute) => dataTypeOf(attribute).files !== undefined)
    const parts = definition.attributes.flatMap(partsOf)
    this.searched = parts.length === 0 ? definition.attributes : [...definition.attributes, ...parts]
    this.#searched =
      parts.length === 0 ? this.#byAlias : new Map(this.searched.map((attribute) => [attribute.alias, attribute]))
  }

  attribute(alias: string): Attribute | undefined {
    return this.#byAlias.get(alias)
  }

  /** Returns an attribute, or a part of an attribute (`aliasOfPart`). */
  searchedAttribute(alias: string): Attribute | undefined {
    return this.#searched.get(alias)
  }
}

function namesAny({ records, files }: DataType): boolean {
  return records !== undefined || files !== undefined
}

function partsOf(attribute: Attribute): Attribute[] {
  const { parts } = dataTypeOf(attribute)
  if (parts === undefined) return []
  return (Object.keys(parts) as ValuePart[]).map((part) => ({
    ...attribute,
    alias: aliasOfPart(attribute.alias, part),
    dataType: parts[part],
    validation: {},
    requiredInStateIds: [],
  }))
}

/** Model changes in progress, which writers of records must respect. */
export interface PendingChanges {
  /** Future schemas by ID. */
  readonly schemas: ReadonlyMap<string, Schema>
  /** Dimension → segments that are being removed. */
  readonly segments: ReadonlyMap<string, ReadonlySet<string>>
  /**
   * Schemas whose records may hold more unique keys than necessary, from either definition. Every write of a record
   * releases the unnecessary keys.
   */
  readonly releasing: ReadonlyMap<string, readonly [before: Schema, after: Schema]>
}

export interface Model {
  readonly dimensions: ReadonlyMap<string, Dimension>
  readonly workflows: ReadonlyMap<string, Workflow>
  readonly schemas: ReadonlyMap<string, Schema>
  readonly roles: ReadonlyMap<string, Role>
  /** Undefined: no change is under way. */
  readonly pending: PendingChanges | undefined
}
