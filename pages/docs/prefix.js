// Several servers may share one host, each below a path of its own. These files are at `<path>/docs/`.
const { protocol, pathname } = new URL(import.meta.url)

/** Before every path of the server, such as `/pim`; '' for nothing. Tests load this file from a disk. */
export const PREFIX = protocol === 'file:' ? '' : pathname.slice(0, pathname.lastIndexOf('/docs/'))
