// Replaces re2js in bundles for browsers, where re2js would be most of the download. Every text matches here, because
// the server checks patterns.

const ANY = { matcher: () => ({ find: () => true }), programSize: () => 0 }

export const RE2JS = { compile: () => ANY }
