-- What export jobs have had no member for.
UPDATE export_job SET document = json_insert(document,
  '$.variantValues', 'effective', '$.selection', json('null'), '$.sort', json('[]'), '$.columns', json('null'),
  '$.delimiter', ',', '$.decimal', '.', '$.bom', json('false'), '$.sheet', json('null'));
