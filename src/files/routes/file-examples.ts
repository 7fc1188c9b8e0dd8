// Names and examples of the shapes of files.
import { component, type Components } from '../../http/openapi/component.ts'
import { PresetInput } from '../rules/presets.ts'
import { FetchFileBody, FileShape, PresetShape, RotationShape } from './file-shapes.ts'

const file = {
  sha256: '5891b5b522d5df086d0ff0b110fbd9d21bb4fc7163af34d08286a2e846f6be03',
  fileName: 'shirt-front.jpg',
  mediaType: 'image/jpeg',
  size: 184_220,
  width: 1600,
  height: 1200,
  pages: null,
  thumbhash: '3OcRJYB4d3h/iIeHeEh3eIhw+j2w',
}

const preset = {
  id: 'square',
  width: 1200,
  height: 1200,
  fit: 'contain',
  format: 'jpeg',
  background: '#ffffff',
} as const

export const fileComponents: Components = {
  File: component(FileShape, file),
  RenditionPreset: component(PresetShape, preset),
  AddressRotation: component(RotationShape, { rotatedAt: '2026-03-01T09:30:00.000Z' }),
  RenditionPresetInput: component(PresetInput, preset),
  FetchFile: component(FetchFileBody, { url: 'https://supplier.example/pictures/shirt-front.jpg' }),
}
