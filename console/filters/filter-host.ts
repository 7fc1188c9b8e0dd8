// The host of the filter bar: contains a query, and accepts a new one.
import type { ReadonlySignal } from '@preact/signals'
import type { Scope } from '../../src/core/scopes/scope.ts'
import type { SeenSchema } from '../state/model.ts'
import type { RecordsQuery } from './query.ts'

export interface FilterHost {
  readonly schema: ReadonlySignal<SeenSchema | undefined>
  readonly query: ReadonlySignal<RecordsQuery>
  /** The scope in which filters compare values. */
  readonly scope: ReadonlySignal<Scope>
  access(alias: string): 'none' | 'read' | 'write'
  ask(changes: Partial<RecordsQuery>): void
}
