// IDs in examples. They look like IDs of the server, and the same item has the same ID everywhere. Dimensions, segments,
// schemas, catalogs, categories and roles have readable IDs, as people choose them.

export const EXAMPLE_IDS = {
  record: 'ent-01kjpy44e0swvea5egkjkmp3av',
  otherRecord: 'ent-01kjpy5z10cf20s5yf37cg179a',
  user: 'usr-01kjm6jm007e7xct8df8tz1qcd',
  apiKey: 'key-01kjm6jm00041tv4jsdjzxfmqb',
  bulkJob: 'bulk-01kjy1x4m0c7w8vbf2q9hz5tra',
  exportJob: 'job-01kjm6jm00d7hycda1t805xfn3',
  exportRun: 'run-01kjxr4em07rk60pmp2fdapkbp',
  import: 'imp-01kjy20zr05mfeq3n7d8wkx4tc',
  importProfile: 'ipr-01kjy1z3k0yv6b2hs9pcrg7e4d',
  subscription: 'sub-01kjzt0r4g5wq8n2m3y6c7v9xa',
  delivery: 'dlv-01kjzt31hk8d2f4g6j9m1p3r5s',
  savedQuery: 'sq-01kjvxrs00epcn1cdwmwr7mxv4',
  auditEntry: 'aud-01kjz4rnr0a9fnqj1wrda7rsgq',
} as const

/** A cursor of `GET /api/v1/changes`. */
export const EXAMPLE_CURSOR = 'YWZ0ZXI6OTI4NDE'
