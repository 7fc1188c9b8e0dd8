// Shapes of rendition presets. Contract 4 §3.
import * as v from 'valibot'
import { Timestamp } from '../../http/common-shapes.ts'
import { FITS, FORMATS, ORIGINAL } from '../rules/presets.ts'

export const PresetShape = v.object({
  id: v.string(),
  width: v.optional(v.pipe(v.number(), v.description('Pixels.'))),
  height: v.optional(v.pipe(v.number(), v.description('Pixels.'))),
  fit: v.picklist(FITS),
  format: v.pipe(
    v.picklist([...FORMATS, ORIGINAL]),
    v.description('original: the bytes of the file as they are. Only the preset original has it.'),
  ),
  quality: v.optional(v.number()),
  background: v.optional(v.pipe(v.string(), v.description('A colour such as #ffffff.'))),
  focus: v.optional(v.pipe(v.string(), v.description('Alias of the attribute with the centre of a cover.'))),
})

export const RotationShape = v.object({ rotatedAt: Timestamp })
