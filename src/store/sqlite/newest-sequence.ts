// The newest entry of the feed: of the audit trail, or of what happens between its entries. As SQL; 0 where there is none.
export const NEWEST_SEQUENCE = `max((SELECT coalesce(max(sequence), 0) FROM main.audit),
  (SELECT coalesce(max(sequence), 0) FROM main.event))`
