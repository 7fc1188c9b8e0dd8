// The model as it will be when an import has made the parts that its mapping brings along. Contract 5 §1.
import type { Model } from '../../core/model/rules/model.ts'
import { type NewModel, planModel } from '../../core/model/rules/new-model.ts'
import type { Making } from './making.ts'

/** The parts of the model, options and categories that an import makes before its first line. */
export interface Brought {
  readonly newModel?: NewModel | undefined
  /** Options and categories. */
  readonly making?: Making | undefined
}

/** Schemas of a model are the same objects as long as the model is. */
const known = new WeakMap<NewModel, { readonly base: Model; readonly model: Model }>()

/** The same model where its schemas are made already. @throws as `planModel` does */
export function withParts(base: Model, parts: NewModel | undefined): Model {
  if (parts === undefined || areMade(parts, base)) return base
  const latest = known.get(parts)
  if (latest?.base === base) return latest.model
  const { model } = planModel(parts, base, '')
  known.set(parts, { base, model })
  return model
}

/** All parts are made in one transaction, and schemas are among them. */
export function areMade({ schemas }: NewModel, model: Model): boolean {
  return schemas.every(({ id }) => model.schemas.has(id))
}

/** With planned options, too. @throws as `planModel` does */
export function modelFor({ newModel, making }: Brought, base: Model): Model {
  const model = withParts(base, newModel)
  return making?.modelOver(model) ?? model
}
