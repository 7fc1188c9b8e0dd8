// The path of the server: several servers may share a host, each below its own path, which precedes all addresses.
// Names in the browser's storage begin with that path.

/** Precedes every path of the server, such as `/pim`; '' for none. The console's files are at `<prefix>/console/-/`. */
export const PREFIX = /^(.*)\/console\/-\/[^/]*$/.exec(new URL(import.meta.url).pathname)?.[1] ?? ''
