// What the filter bar is about: a question, and who takes another one.
import type { ReadonlySignal } from '@preact/signals'
import type { Scope } from '../../src/core/scopes/scope.ts'
import type { SeenSchema } from '../state/model.ts'
import type { RecordsQuery } from './query.ts'

export interface FilterHost {
  readonly schema: ReadonlySignal<SeenSchema | undefined>
  readonly query: ReadonlySignal<RecordsQuery>
  /** In which values are looked for. */
  readonly scope: ReadonlySignal<Scope>
  access(alias: string): 'none' | 'read' | 'write'
  ask(changes: Partial<RecordsQuery>): void
}
