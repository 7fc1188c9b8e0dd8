-- Which values name a record. Values that are written from now on are noted by those who write them.
CREATE TABLE record_reference (
  target_id TEXT NOT NULL,
  schema_id TEXT NOT NULL,
  alias TEXT NOT NULL,
  record_id TEXT NOT NULL,
  scope TEXT NOT NULL,
  PRIMARY KEY (target_id, schema_id, alias, record_id, scope)
) STRICT, WITHOUT ROWID;
-- In the order of the table. An attribute that is being renamed has values under both names.
INSERT OR IGNORE INTO record_reference (target_id, schema_id, alias, record_id, scope)
  WITH defined (schema_id, attribute) AS (
    SELECT schema.id, attribute.value FROM schema, json_each(schema.document, '$.attributes') AS attribute
    UNION ALL
    SELECT change.document ->> '$.after.id', attribute.value
      FROM model_change AS change, json_each(change.document, '$.after.attributes') AS attribute
     WHERE change.document ->> '$.kind' = 'schema' AND NOT EXISTS (
       SELECT 1 FROM json_each(change.document, '$.before.attributes') AS former
        WHERE former.value ->> '$.alias' = attribute.value ->> '$.alias')),
  referring (schema_id, alias) AS (
    SELECT schema_id, attribute ->> '$.alias' FROM defined
     WHERE attribute ->> '$.dataType' IN ('reference', 'references'))
  SELECT named.value, record.schema_id, alias, record.id,
      coalesce((SELECT group_concat(key || '=' || value, ';') FROM
        (SELECT key, value FROM json_each(item.value, '$.scope') ORDER BY key)), '')
    FROM referring JOIN record ON record.schema_id = referring.schema_id,
      json_each(record."values", '$."' || alias || '"') AS item, json_each(item.value, '$.value') AS named
   WHERE named.type = 'text' AND named.value <> '' ORDER BY 1, 2, 3, 4, 5;
