// Where the server is: several may share one host, each below a path of its own, which stands before all addresses. What the browser keeps has that
// path before its name.

/** Before every path of the server, such as `/pim`; '' for nothing. The console's files are at `<prefix>/console/-/`. */
export const PREFIX = /^(.*)\/console\/-\/[^/]*$/.exec(new URL(import.meta.url).pathname)?.[1] ?? ''
