// The model of a workspace as a whole: dimensions, workflows, schemas and roles by ID, ready to look things up.
// Contract 2 §3. Maps, not objects: IDs and aliases may be called `constructor`.
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

/** A schema as it is stored; as clients see it but for guards that are hidden from them. */
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
  /** The attribute that a record is called by; undefined: the first text. */
  readonly labelAttribute: string | undefined
  /** The attribute whose first picture stands for a record: a file, or references to records with one. */
  readonly imageAttribute: string | undefined
  /** The attributes, and parts of their values as attributes of their own, such as `content.size`: searches ask for them. */
  readonly searched: readonly Attribute[]
  /** The attributes whose values name records or files: most schemas have few, and each write asks for them. */
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

  /** An attribute, or the part of one: `aliasOfPart`. */
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
  /** Schemas as they will be, by ID. */
  readonly schemas: ReadonlyMap<string, Schema>
  /** Segments that will go, by dimension. */
  readonly segments: ReadonlyMap<string, ReadonlySet<string>>
  /**
   * Schemas whose records may hold more unique keys than they must, of either definition. Every write of a record
   * releases the keys of the record.
   */
  readonly releasing: ReadonlyMap<string, readonly [before: Schema, after: Schema]>
}

export interface Model {
  readonly dimensions: ReadonlyMap<string, Dimension>
  readonly workflows: ReadonlyMap<string, Workflow>
  readonly schemas: ReadonlyMap<string, Schema>
  readonly roles: ReadonlyMap<string, Role>
  /** Undefined where no change is under way. */
  readonly pending: PendingChanges | undefined
}
