// The name of a picture: the label of its record, or else the name of its file, or else the ID.
import { cellScope, cellValue } from '../grid/cell-value.ts'
import { useConsole } from '../state/context.ts'
import type { PictureSchema } from '../state/pictures.ts'
import type { KnownPicture } from './known-pictures.ts'

export interface LabelSource {
  readonly pictures: PictureSchema
}

export function usePictureLabel({ pictures: { schema } }: LabelSource) {
  const bar = useConsole().scope.current.value
  return (picture: KnownPicture | undefined, id: string): string => {
    const attribute = schema.attributes.find(({ alias }) => alias === schema.labelAttribute)
    const label =
      attribute &&
      cellValue({ values: picture?.values ?? {} }, attribute.alias, cellScope(bar, {}, attribute), attribute)
    return typeof label?.value === 'string' ? label.value : (picture?.file?.fileName ?? id)
  }
}
