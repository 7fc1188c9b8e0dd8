// The interface of the documentation's routes. `src/docs-host/documentation.ts` implements it.

export interface DocumentationFile {
  readonly text: string
  readonly mediaType: string
  /** Another for another text. */
  readonly etag: string
}

export interface DocumentationService {
  /** JSON, made at the first call. */
  openApi(): Promise<DocumentationFile>
  /** JSON Schema of the settings of each built-in destination, by type; made at the first call. */
  settings(): Promise<Readonly<Record<string, Readonly<Record<string, unknown>>>>>
  /** The version of the program. */
  version(): string
  /** A guide as a page, by its name in addresses. @throws NOT_FOUND */
  guide(name: string): Promise<DocumentationFile>
  /** A file of the pages. @throws NOT_FOUND */
  file(name: string): DocumentationFile
}
