// Where the answers of `twins.ts` may differ.
import type { Allowed } from './twins.ts'

const RUNS = /\/export-(?:jobs|runs)\b|\/events$/
/** The limited caller names own jobs `own-…`. */
const OF_OTHERS = '"jobId":"(?!own-)'
const FACTS = '(?:"(?:recordCount|fileSize)":\\d+|"sha256":"[0-9a-f]{64}")'
export const ALLOWED: readonly Allowed[] = [
  {
    why: 'a run of somebody else tells how many records its file has, its size and its hash (interface 2.10, work 5)',
    where: RUNS,
    what: new RegExp(`(?<=${OF_OTHERS}[^{}]*)${FACTS}|${FACTS}(?=[^{}]*${OF_OTHERS})`, 'g'),
  },
  {
    why: 'each rule of a job tells whether it is met (work 5)',
    where: /\/explain$|\/exports$/,
    what: /"included":(?:true|false)|"rule":"selection","met":(?:true|false)|"criteriaOperator":"and","schemaId":"sch-a"},"actual":(?:true|false)/g,
  },
  {
    why: 'the gate of a transition counts all attributes (work 9.6)',
    where: /\/transitions$|include=transitions/,
    what: /"allowed":(?:true|false),"reasons":\[[^\]]*\]/g,
  },
]

/** What more history tells, whatever it hides: an edit counts for `If-Match`, and its entry stands in the trail. */
export const ALLOWED_OF_HISTORY: readonly Allowed[] = [
  ...ALLOWED,
  {
    why: 'a version counts each edit (decisions 1, work 3)',
    where: /./,
    what: /^etag: .*$|"version(?:After)?":\d+|has no version \d+|never had a version \d+/gi,
  },
  { why: 'a cursor counts each edit (decisions 4)', where: /./, what: /"cursor":"[\w-]+"/g },
]

/** They list or name each edit. */
export const TELLS_HISTORY = /audit|changes|version|restore/
