// What the routes of the console ask for: `src/console-host/console-files.ts` is it.

export interface ConsoleFile {
  readonly mediaType: string
  /** Another for another content. */
  readonly etag: string
  /** The content as gzip packs it, and as brotli does where it is packed so. */
  readonly gzip: Uint8Array
  readonly br: Uint8Array | undefined
}

export interface ConsoleFileService {
  /** False: this server has no console. */
  readonly isServed: boolean
  /**
   * The page, which is the same at all addresses of the console. @throws NOT_FOUND
   * @param prefix stands before the addresses of its files; '' for nothing
   */
  page(prefix: string): Promise<ConsoleFile>
  /** The name of the file that a place of the console is in; undefined where it is in none of its own. @param id of a thing there */
  placeFile(place: string, id: string | undefined): Promise<string | undefined>
  /** What the page is made of. @throws NOT_FOUND */
  file(name: string): Promise<ConsoleFile>
}
