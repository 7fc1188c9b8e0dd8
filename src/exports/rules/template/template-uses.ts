// Finds the attributes, fields and catalogs that a template names.
import { printName, type Source } from './template.ts'
import { isPiece, readTemplate } from './template-reader.ts'

/** The sources of a template's pieces. */
export function sourcesOf(text: string): Source[] {
  return readTemplate(text)
    .filter(isPiece)
    .map(({ source }) => source)
}

/** The index where a template names a catalog. */
export function placeOfCatalog(text: string, catalogId: string): number {
  const piece = readTemplate(text)
    .filter(isPiece)
    .find(({ source }) => source.kind === 'categoryPath' && source.catalogId === catalogId)
  return piece?.place.from ?? 0
}

/** The template with another alias for an attribute; all else stays as it was written. */
export function renameInTemplate(text: string, from: string, to: string): string {
  const pieces = readTemplate(text).filter(isPiece)
  return pieces.reduceRight((renamed, { source, place }) => {
    if (source.kind !== 'attribute' || source.alias !== from) return renamed
    return renamed.slice(0, place.from) + printName({ ...source, alias: to }) + renamed.slice(place.to)
  }, text)
}
