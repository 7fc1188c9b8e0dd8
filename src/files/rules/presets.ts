// Rendition presets: the only sizes in which pictures are ever made. Contract 4 §3.
import * as v from 'valibot'
import { scopedValues, type ValueLayers } from '../../core/records/rules/record.ts'
import { invalid } from '../../kernel/errors.ts'
import { exactObject } from '../../kernel/input/exact-object.ts'
import { Alias, NewId, type OutputOf, wholeNumber } from '../../kernel/input/validation.ts'

export const FITS = ['inside', 'cover', 'contain'] as const
export type Fit = (typeof FITS)[number]
export const FORMATS = ['webp', 'avif', 'jpeg', 'png'] as const
export type Format = (typeof FORMATS)[number]
/** Pixels of a side. */
export const MAX_SIDE = 4000
/** Presets of one workspace. */
export const MAX_PRESETS = 100
/** The preset of the bytes as they are: its ID and its format. */
export const ORIGINAL = 'original'
/** The preset whose addresses `include=image` gives. */
export const THUMB = 'thumb'

const Side = wholeNumber(1, MAX_SIDE)

export const PresetInput = exactObject({
  id: v.optional(NewId),
  width: v.optional(v.pipe(Side, v.description('Pixels. A preset has a width, a height or both.'))),
  height: v.optional(v.pipe(Side, v.description('Pixels.'))),
  fit: v.pipe(
    v.picklist(FITS, `must be one of ${FITS.join(', ')}`),
    v.description(
      'inside: the whole picture within width and height. cover: a part of the picture with the proportions of width and height. contain: the whole picture on a canvas of width and height. No picture is ever enlarged.',
    ),
  ),
  format: v.picklist(FORMATS, `must be one of ${FORMATS.join(', ')}`),
  quality: v.optional(v.pipe(wholeNumber(1, 100), v.description('1 to 100, not for png. Default: 80, for avif 50.'))),
  background: v.optional(
    v.pipe(
      v.string('must be a string'),
      v.regex(/^#[0-9a-f]{6}$/i, 'must be a colour such as #ffffff'),
      v.description('The colour behind the picture. Default: transparent, for jpeg white.'),
    ),
  ),
  focus: v.optional(
    v.pipe(
      Alias,
      v.description(
        'The attribute of the record with the picture that holds the centre of a cover: { x, y } from 0 to 1.',
      ),
    ),
  ),
})
export type PresetFields = v.InferOutput<typeof PresetInput>

export interface Preset extends Omit<OutputOf<typeof PresetInput>, 'id' | 'format'> {
  readonly id: string
  readonly format: Format | typeof ORIGINAL
}

/** A preset that makes renditions. */
export interface MadePreset extends Preset {
  readonly format: Format
}

/** The presets of every new workspace; the migrations have the same ones. */
export const FIRST_PRESETS: readonly Preset[] = [
  { id: THUMB, width: 160, height: 160, fit: 'inside', format: 'webp' },
  { id: 'web', width: 1600, height: 1600, fit: 'inside', format: 'webp' },
  { id: 'square', width: 1200, height: 1200, fit: 'contain', format: 'jpeg', background: '#ffffff' },
  { id: ORIGINAL, fit: 'inside', format: ORIGINAL },
]

/** @throws VALIDATION_ERROR naming the member */
export function definePreset(id: string, input: Omit<PresetFields, 'id'>): MadePreset {
  assertFits(input)
  const { width, height, fit, format, quality, background, focus } = input
  return {
    id,
    ...(width === undefined ? {} : { width }),
    ...(height === undefined ? {} : { height }),
    fit,
    format,
    ...(quality === undefined ? {} : { quality }),
    ...(background === undefined ? {} : { background: background.toLowerCase() }),
    ...(focus === undefined ? {} : { focus }),
  }
}

/** @throws VALIDATION_ERROR naming the member that does not fit the others */
function assertFits({ width, height, fit, format, quality, focus }: Omit<PresetFields, 'id'>): void {
  if (width === undefined && height === undefined) throw invalid('width or height is required')
  if (fit !== 'inside' && width === undefined) throw invalid(`width is required for the fit ${fit}`)
  if (fit !== 'inside' && height === undefined) throw invalid(`height is required for the fit ${fit}`)
  if (format === 'png' && quality !== undefined) throw invalid('quality must be absent for the format png')
  if (fit !== 'cover' && focus !== undefined) throw invalid(`focus must be absent for the fit ${fit}`)
}

export function isMade(preset: Preset): preset is MadePreset {
  return preset.format !== ORIGINAL
}

/** A point of a picture: parts of its width and height. */
export interface Focus {
  readonly x: number
  readonly y: number
}

export const MIDDLE: Focus = { x: 0.5, y: 0.5 }

/**
 * The facts that decide the bytes of a rendition, besides the content of the file, as text. A changed definition makes new
 * renditions; another ID does not.
 * @param focus counts for a preset that names an attribute for it
 */
export function definitionOf(preset: Preset, focus?: Focus): string {
  const { width, height, fit, format, quality, background } = preset
  const { x, y } = focusOf(preset, focus) ?? MIDDLE
  return JSON.stringify([width ?? 0, height ?? 0, fit, format, quality ?? 0, background ?? '', x, y])
}

/** Undefined: the middle. */
export function focusOf(preset: Preset, focus: Focus | undefined): Focus | undefined {
  return preset.focus === undefined ? undefined : focus
}

/** The focus in the value of an attribute; undefined where the value holds none. */
export function readFocus(value: unknown): Focus | undefined {
  if (typeof value !== 'object' || value === null) return undefined
  const { x, y } = value as Partial<Record<'x' | 'y', unknown>>
  return isPart(x) && isPart(y) ? { x: rounded(x), y: rounded(y) } : undefined
}

/** The focus in the unscoped value of an attribute, or else in the first, own before inherited. */
export function focusIn({ own, inherited }: ValueLayers, alias: string): Focus | undefined {
  for (const values of inherited === null ? [own] : [own, inherited]) {
    const scoped = scopedValues(values, alias)
    const chosen = scoped.find(({ scope }) => Object.keys(scope).length === 0) ?? scoped[0]
    if (chosen !== undefined) return readFocus(chosen.value)
  }
  return undefined
}

/** Parts of a side that a focus tells apart. */
export const FOCUS_STEPS = 10_000

/** A public address has room for so much. */
function rounded(part: number): number {
  return Math.round(part * FOCUS_STEPS) / FOCUS_STEPS
}

function isPart(value: unknown): value is number {
  return typeof value === 'number' && value >= 0 && value <= 1
}

/** The media type of the renditions. */
export function mediaTypeOf({ format }: MadePreset): string {
  return `image/${format}`
}

/** The preset after an attribute got another alias. */
export function renameInPreset(preset: Preset, { from, to }: { readonly from: string; readonly to: string }): Preset {
  return preset.focus === from ? { ...preset, focus: to } : preset
}
