// The types of events, and the type that an entry of the feed has. Contract 3 §6.
import type { AuditAction } from '../../core/records/rules/changes.ts'

export const EVENT_TYPES = [
  'record.created',
  'record.updated',
  'record.deleted',
  'record.transitioned',
  'model.changed',
  'run.succeeded',
  'run.failed',
  'bulk.finished',
] as const
export type EventType = (typeof EVENT_TYPES)[number]

/** The part of a feed entry that decides which subscriptions want it. This part can be read without the rest. */
export type EntryHead = { readonly sequence: number } & (
  | { readonly kind: 'record'; readonly action: AuditAction; readonly schemaId: string }
  | { readonly kind: 'model' | 'bulk' | 'account' }
  | { readonly kind: 'run'; readonly isSuccess: boolean }
)

const OF_RECORD: Record<AuditAction, EventType | undefined> = {
  create: 'record.created',
  update: 'record.updated',
  delete: 'record.deleted',
  transition: 'record.transitioned',
  // The record stays as it is.
  erase: undefined,
}

/** Undefined: the entry is no event. */
export function eventTypeOf(head: EntryHead): EventType | undefined {
  if (head.kind === 'record') return OF_RECORD[head.action]
  if (head.kind === 'run') return head.isSuccess ? 'run.succeeded' : 'run.failed'
  if (head.kind === 'account') return undefined
  return head.kind === 'model' ? 'model.changed' : 'bulk.finished'
}

export interface EventFilter {
  readonly events: readonly EventType[]
  /** For record events; null: all schemas. */
  readonly schemaIds: readonly string[] | null
}

/** Whether the filter wants the entry, judged by its head. */
export function isWanted(head: EntryHead, { events, schemaIds }: EventFilter): boolean {
  const type = eventTypeOf(head)
  if (type === undefined || !events.includes(type)) return false
  return head.kind !== 'record' || schemaIds === null || schemaIds.includes(head.schemaId)
}
