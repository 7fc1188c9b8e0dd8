// Several servers may share one host, each below its own path. These files are at `<path>/docs/`.
const { protocol, pathname } = new URL(import.meta.url)

/** Precedes every path of the server, such as `/pim`; '' for none. Tests load this file from a disk. */
export const PREFIX = protocol === 'file:' ? '' : pathname.slice(0, pathname.lastIndexOf('/docs/'))
