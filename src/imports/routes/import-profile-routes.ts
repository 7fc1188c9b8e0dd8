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
      summary: 'Keep what the columns of files mean, under a name',
      description:
        'Each column of the file that is named goes to a field of the record or to an attribute in a scope, after what `with` does to its cells. `part` is for prices and measurements whose units have a column of their own. A column that a file lacks is an error, unless it has a `default`; columns that no profile names are passed over.',
    },
    get: { summary: 'Read an import profile' },
    replace: { summary: 'Replace an import profile' },
    delete: { summary: 'Delete an import profile' },
    service: ({ importProfiles }) => importProfiles,
  }),
]
