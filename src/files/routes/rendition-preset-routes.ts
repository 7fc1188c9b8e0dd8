// Endpoints of rendition presets, and of the key of public addresses. Contract 4 §3.
import { documentRoutes } from '../../http/document-routes.ts'
import { route } from '../../http/route.ts'
import { PresetInput } from '../rules/presets.ts'
import { PresetShape, RotationShape } from './file-shapes.ts'

export const renditionPresetsRoutes = [
  ...documentRoutes({
    id: 'renditionPresets',
    path: '/api/v1/rendition-presets',
    shape: PresetShape,
    input: PresetInput,
    read: 'authenticated',
    write: 'model.write',
    list: { summary: 'List rendition presets, oldest first' },
    create: {
      summary: 'Create a rendition preset: a size and a format for pictures',
      description:
        'Renditions are made when they are first requested, never larger than the picture, in sRGB and without metadata.',
      errors: ['LIMIT_EXCEEDED'],
    },
    get: { summary: 'Read a rendition preset' },
    replace: {
      summary: 'Replace a rendition preset; the preset original cannot be changed',
      description: 'Public addresses of the former definition end.',
      errors: ['CONFLICT'],
    },
    delete: {
      summary: 'Delete a rendition preset; the preset original cannot be deleted',
      description: 'Public addresses with the preset end.',
      errors: ['CONFLICT'],
    },
    service: ({ renditionPresets }) => renditionPresets,
  }),
  route({
    id: 'renditionPresets.rotateAddresses',
    endpoint: 'POST /api/v1/files/rotate-addresses',
    summary: 'End all public addresses of pictures that were given so far; new ones are given from now on',
    access: 'model.write',
    responses: { 200: RotationShape },
    handler: ({ caller, services }) => services.publicAddresses.rotate(caller),
  }),
]
