-- Which values name a record, which need not exist: those of data types that refer to records. As far as one deletion, one page and
-- one permission ask for them, they lie together.
CREATE TABLE record_reference (
  target_id text COLLATE "C" NOT NULL,
  schema_id text COLLATE "C" NOT NULL,
  alias text COLLATE "C" NOT NULL,
  record_id text COLLATE "C" NOT NULL,
  scope text COLLATE "C" NOT NULL,
  PRIMARY KEY (target_id, schema_id, alias, record_id, scope)
);
-- PostgreSQL reads no JSON with a NUL or half of a pair in it, and no ID has one.
CREATE FUNCTION pg_temp.readable(document text) RETURNS json LANGUAGE sql AS $$
  SELECT regexp_replace(document, '(?<!\\)((?:\\\\)*)\\u(?:0000|d[89a-f][0-9a-f]{2})', '\1?', 'gi')::json
$$;
-- An attribute that is being renamed has values under both names.
INSERT INTO record_reference (target_id, schema_id, alias, record_id, scope)
  WITH defined (schema_id, attribute) AS (
    SELECT id, json_array_elements(pg_temp.readable(document) -> 'attributes') FROM schema
    UNION ALL
    SELECT change #>> '{after,id}', attribute FROM (SELECT pg_temp.readable(document) AS change FROM model_change) AS changes,
        json_array_elements(change #> '{after,attributes}') AS defining (attribute)
     WHERE change ->> 'kind' = 'schema' AND NOT EXISTS (
       SELECT 1 FROM json_array_elements(change #> '{before,attributes}') AS former (was)
        WHERE was ->> 'alias' = attribute ->> 'alias')),
  referring (schema_id, alias) AS (
    SELECT schema_id, attribute ->> 'alias' FROM defined WHERE attribute ->> 'dataType' IN ('reference', 'references')),
  item (schema_id, alias, record_id, scoped) AS (
    SELECT record.schema_id, alias, record.id, json_array_elements(pg_temp.readable(vals) -> alias)
      FROM referring JOIN record ON record.schema_id = referring.schema_id WHERE strpos(vals, '"' || alias || '":[') > 0)
  SELECT named #>> '{}', schema_id, alias, record_id,
      coalesce((SELECT string_agg(key || '=' || segment, ';' ORDER BY key COLLATE "C")
        FROM json_each_text(scoped -> 'scope') AS scope (key, segment)), '')
    FROM item, json_array_elements(CASE json_typeof(scoped -> 'value') WHEN 'array' THEN scoped -> 'value'
        ELSE json_build_array(scoped -> 'value') END) AS naming (named)
   WHERE json_typeof(named) = 'string' AND named #>> '{}' <> ''
  ON CONFLICT DO NOTHING;
DROP FUNCTION pg_temp.readable(text);
