// Endpoints of import profiles. Contract 3 §4.
import { ImportProfileInput } from '../rules/import-profile.ts'
import { documentRoutes } from '../../http/document-routes.ts'
import { ImportProfileShape } from './import-shapes.ts'

export const importProfilesRoutes = [
  ...documentRoutes({
    id: 'importProfiles',
    path: '/api/v1/import-profiles',
    shape: ImportProfileShape,
    input: ImportProfileInput,
    read: 'model.read',
    write: 'model.write',
    list: { summary: 'List import profiles, oldest first' },
    create: {
      summary: 'Create an import profile: the meaning of the columns of a file',
      description:
        'Each named column goes to a field of the record, or to an attribute in a scope. First, the steps in `with` are applied to its cells. `part` is for prices and measurements whose units have their own column. A missing column is an error unless it has a `default`. Columns that the profile does not name are ignored.',
    },
    get: { summary: 'Read an import profile' },
    replace: { summary: 'Replace an import profile' },
    delete: { summary: 'Delete an import profile' },
    service: ({ importProfiles }) => importProfiles,
  }),
]
