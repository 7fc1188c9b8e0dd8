// Whether the pieces of a template fit the model.
import { findScopeFault } from '../../../core/model/rules/schema.ts'
import { canRead, type Role } from '../../../core/accounts/rules/permissions.ts'
import type { Model, Schema } from '../../../core/model/rules/model.ts'
import { isConvertible, isKnownUnit } from '../../../core/values/units.ts'
import { findNearest } from '../../../kernel/input/nearest.ts'
import { shorten } from '../../../kernel/errors.ts'
import { hasPart } from '../column-sources.ts'
import { type AttributeSource, COLUMN_FIELDS, type Step } from './template.ts'
import { isPiece, readTemplate } from './template-reader.ts'
import { TemplateFault } from './template-fault.ts'

/** @param schemas whose records may come @param others names of pieces that are no attributes */
export function findModelFault(
  text: string,
  schemas: readonly Schema[],
  model: Model,
  role: Role,
  others: readonly string[] = [],
): TemplateFault | undefined {
  for (const { source, steps, place } of readTemplate(text).filter(isPiece)) {
    if (source.kind !== 'attribute' || others.includes(source.alias)) continue
    const fault =
      findAttributeFault(source, schemas, role, place.from) ??
      findSourceFault(source, schemas, model, place.to) ??
      findUnitFault(source, steps[0], schemas)
    if (fault !== undefined) return fault
  }
  return undefined
}

function findAttributeFault({ alias }: AttributeSource, schemas: readonly Schema[], role: Role, at: number) {
  if (schemas.some((schema) => schema.attribute(alias) !== undefined)) return undefined
  const readable = schemas.flatMap(({ id, attributes }) =>
    attributes.map((attribute) => attribute.alias).filter((name) => canRead(role, id, name)),
  )
  const names = [...readable, ...COLUMN_FIELDS]
  return new TemplateFault(`names the unknown attribute '${alias}'`, at, findNearest(alias, names))
}

function findSourceFault(
  { alias, scope, part }: AttributeSource,
  schemas: readonly Schema[],
  model: Model,
  at: number,
) {
  const scopeFault = scope && findScopeFault(scope, model)
  if (scopeFault !== undefined) return new TemplateFault(scopeFault, at)
  if (part === undefined || attributesOf(alias, schemas).some((attribute) => hasPart(attribute, part))) return undefined
  return new TemplateFault(`names the part '${part}', which the attribute '${alias}' does not have,`, at)
}

function findUnitFault({ alias }: AttributeSource, step: Step | undefined, schemas: readonly Schema[]) {
  if (step?.name !== 'unit') return undefined
  const { argument, at } = step
  const unit = argument as string
  const of = attributesOf(alias, schemas).filter(({ dataType }) => dataType === 'measurement')
  if (of.length === 0) return new TemplateFault(`has 'unit' for '${alias}', which is no measurement,`, at)
  const units = of.flatMap((attribute) => attribute.units)
  if (!isKnownUnit(unit) && !units.includes(unit))
    return new TemplateFault(`names the unknown unit '${shorten(unit, 64)}'`, at)
  if (units.length === 0 || units.some((from) => isConvertible(from, unit))) return undefined
  return new TemplateFault(`has 'unit' for '${alias}', whose units have no amount in '${unit}',`, at)
}

function attributesOf(alias: string, schemas: readonly Schema[]) {
  return schemas.flatMap((schema) => schema.attribute(alias) ?? [])
}
