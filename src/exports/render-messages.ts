// What the main thread and a render thread say to each other.
import type { ErrorCode } from '../domain/errors.ts'
import type { ExportSelection, Rendered, RenderRequest } from './render-client.ts'

export interface RenderThreadData {
  readonly role: 'render'
  readonly databaseFile: string
  readonly task: RenderTask
}

export type RenderTask =
  | { readonly kind: 'render'; readonly request: RenderRequest }
  | { readonly kind: 'preview'; readonly selection: ExportSelection; readonly limit: number }

export type ToRenderThread = { readonly kind: 'stop' }

export type FromRenderThread =
  | { readonly kind: 'rendered'; readonly rendered: Rendered }
  | { readonly kind: 'previewed'; readonly text: string }
  | { readonly kind: 'failed'; readonly code: ErrorCode; readonly message: string }
