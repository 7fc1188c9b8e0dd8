// Imports of the limited callers of `twins.ts`.
import { everywhere } from '../shirts.ts'
import { CSV, get, line, NDJSON, post, put, value } from './requests.ts'
import type { Request } from './twins.ts'
import { HIDDEN } from './workspace.ts'

const toAttribute = (alias: string) => ({ header: alias, to: { attributeAlias: alias } })
/** Maps the caller's own file. */
const OWN = {
  schemaId: 'sch-a',
  mode: 'update',
  columns: [{ header: 'id', to: { field: 'id' } }, toAttribute('title')],
}

export const IMPORTS: readonly Request[] = [
  ...['dryRun=true&', ''].flatMap((dry) => [
    ...HIDDEN.map((alias) =>
      post(
        `/records/import?${dry}mode=upsert`,
        line({ id: 'r-5', schemaId: 'sch-a', values: { [alias]: value(alias), title: everywhere('i') } }),
        { headers: NDJSON },
      ),
    ),
    ...HIDDEN.map((alias) =>
      post(`/records/import?${dry}mode=update&schemaId=sch-a`, `id,${alias},title\r\nr-5,x,y\r\nr-4,,y\r\n`, {
        headers: CSV,
      }),
    ),
    ...HIDDEN.map((alias) =>
      post(`/records/import?${dry}mode=update&schemaId=sch-a&emptyCells=clear`, `id,${alias}\r\nr-4,\r\n`, {
        headers: CSV,
      }),
    ),
    post(`/records/import?${dry}mode=update&schemaId=sch-a&matchBy=hName`, `hName,title\r\nstored 0 2,y\r\n`, {
      headers: CSV,
    }),
    post(
      `/records/import?${dry}mode=update&schemaId=sch-a&matchBy=name`,
      `name,parentId,title\r\nopen 0,,y\r\nopen 3,open 0,y\r\nopen 4,,y\r\nopen 4,,z\r\n`,
      { headers: CSV },
    ),
    post(`/records/import?${dry}profile=ip-hidden`, 'id,hName,title\r\nr-0,x,y\r\n', { headers: CSV }),
    post(`/records/import?${dry}profile=ip-match`, 'id,hName,title\r\nr-0,x,y\r\n', { headers: CSV }),
    post(`/records/import?${dry}mode=create&schemaId=sch-a`, 'id,name,title\r\nr-0,open 9,y\r\ni-1,open 1,y\r\n', {
      headers: CSV,
    }),
  ]),
  post(
    '/imports?fileName=pictures.csv&schemaId=sch-a',
    'id,pic\r\nr-0,red.png\r\nr-1,open.txt\r\nr-2,another name.png\r\n',
    { headers: CSV, keep: { name: 'pictures', from: 'id' } },
  ),
  put('/imports/$pictures/mapping', {
    schemaId: 'sch-a',
    mode: 'update',
    columns: [
      { header: 'id', to: { field: 'id' } },
      { header: 'pic', to: { attributeAlias: 'pictures' }, with: ['fileName'] },
    ],
  }),
  post('/imports/$pictures/dry-run', {}, { keep: { name: 'picturesdry', from: 'id' } }),
  get('/bulk-jobs/$picturesdry?wait=20'),
  get('/bulk-jobs/$picturesdry/errors'),
  post('/imports?fileName=own.csv&schemaId=sch-a', 'id,title,hName\r\nr-0,own,x\r\n', {
    headers: CSV,
    keep: { name: 'own', from: 'id' },
  }),
  get('/imports/$own/proposal'),
  put('/imports/$own/mapping', { ...OWN, columns: [...OWN.columns, toAttribute('hName')] }),
  post('/imports/$own/dry-run', {}),
  put('/imports/$own/mapping', OWN),
  post('/imports/$own/dry-run', {}, { keep: { name: 'owndry', from: 'id' } }),
  get('/bulk-jobs/$owndry?wait=20'),
  post('/imports/$own/run', {}, { keep: { name: 'ownrun', from: 'id' } }),
  get('/bulk-jobs/$ownrun/samples?outcome=updated'),
  get('/imports/$own/failed.csv'),
  post('/bulk-jobs/$ownrun/undo', undefined, { keep: { name: 'ownundo', from: 'id' } }),
  get('/bulk-jobs/$ownundo/errors'),
  post('/imports/$upload/dry-run', {}),
  put('/imports/$upload/mapping', {
    schemaId: 'sch-a',
    mode: 'update',
    columns: [
      { header: 'hName', to: { attributeAlias: 'title' } },
      { header: 'id', to: { field: 'id' } },
    ],
  }),
  post('/imports/$mappedUpload/take-over'),
  post('/imports/$upload/take-over'),
  get('/imports/$upload'),
  get('/imports/$upload/failed.csv'),
  post('/bulk-jobs/bulk-values/undo'),
  post('/bulk-jobs/$import/undo'),
]
