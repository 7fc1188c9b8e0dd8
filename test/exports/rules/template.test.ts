// The language of templates: what is printed is read back, and a fault has its place.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import * as fc from 'fast-check'
import { faultPlaceOf, type TemplateFault } from '../../../src/exports/rules/template/template-fault.ts'
import { findTemplateFault, isPiece, readTemplate } from '../../../src/exports/rules/template/template-reader.ts'
import { renameInTemplate } from '../../../src/exports/rules/template/template-uses.ts'
import { STEP_NAMES, ruleOf, type StepName } from '../../../src/exports/rules/template/template-steps.ts'
import {
  COLUMN_FIELDS,
  type Piece,
  printTemplate,
  type Source,
  type Step,
  type Template,
} from '../../../src/exports/rules/template/template.ts'

const letters = 'abcXYZ012'.split('')
const alias = fc.oneof(
  fc.constantFrom('parent', 'values', 'categoryPath', 'deleted', ...COLUMN_FIELDS),
  fc.string({ unit: fc.constantFrom(...letters, '-', '_'), maxLength: 10 }).map((end) => `a${end}`),
)
const id = fc.string({ unit: fc.constantFrom(...letters, '.', '~', '-'), maxLength: 10 }).map((end) => `1${end}`)
const words = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 12 }),
  fc.string({ unit: fc.constantFrom('{', '}', '|', '"', ':', ',', '\\', ' ', '\n', 'a', '\uD800'), maxLength: 12 }),
)
const plain = { noNullPrototype: true } as const
const source: fc.Arbitrary<Source> = fc.oneof(
  fc.record({ kind: fc.constant('field' as const), field: fc.constantFrom(...COLUMN_FIELDS) }, plain),
  fc.record({ kind: fc.constant('categoryPath' as const), catalogId: id }, plain),
  fc.record(
    {
      kind: fc.constant('attribute' as const),
      alias,
      isOfParent: fc.boolean(),
      scope: fc.option(fc.dictionary(id, id, { maxKeys: 3, ...plain }), { nil: undefined }),
      part: fc.option(fc.constantFrom('amount', 'unit', 'currency', 'fileName'), { nil: undefined }),
    },
    plain,
  ),
)

function stepOf(name: StepName): fc.Arbitrary<Step> {
  const { argument } = ruleOf(name)
  const at = 0
  if (argument === 'none') return fc.constant({ name, argument: undefined, at })
  if (argument === 'text') return words.map((text) => ({ name, argument: text, at }))
  if (argument === 'map')
    return fc
      .array(fc.tuple(words, words), { minLength: 1, maxLength: 4 })
      .map((pairs) => ({ name, argument: new Map(pairs), at }))
  return fc.integer(argument).map((number) => ({ name, argument: String(number), at }))
}

const anywhere = STEP_NAMES.filter((name) => ruleOf(name).after === undefined)
const piece: fc.Arbitrary<Piece> = source.chain((of) => {
  const first = STEP_NAMES.filter(
    (name) => ruleOf(name).after === of.kind && (of.kind !== 'attribute' || of.part === undefined),
  )
  const steps = fc.array(fc.constantFrom(...anywhere).chain(stepOf), { maxLength: 3 })
  const all =
    first.length === 0
      ? steps
      : fc.oneof(
          steps,
          fc.tuple(stepOf(first[0]!), steps).map((some) => some.flat()),
        )
  return all.map((some) => ({ source: of, steps: some, place: { from: 0, to: 0 } }))
})
const template: fc.Arbitrary<Template> = fc
  .array(fc.oneof(words, piece), { maxLength: 6 })
  .map((parts) =>
    parts.filter((part, at) => part !== '' && (typeof part !== 'string' || typeof parts[at - 1] !== 'string')),
  )
  .filter((parts) => parts.every((part, at) => typeof part !== 'string' || typeof parts[at - 1] !== 'string'))

/** Without places, which depend on how a template is written. */
function meaningOf(parts: Template): unknown {
  return parts.map((part) =>
    isPiece(part) ? [part.source, part.steps.map(({ name, argument }) => [name, argument])] : part,
  )
}

function faultOf(text: string): TemplateFault {
  const fault = findTemplateFault(text)
  assert.ok(fault !== undefined, `'${text}' has no fault`)
  return fault
}

describe('A template', () => {
  it('is read back from what is printed', () => {
    const property = fc.property(template, (parts) => {
      assert.deepEqual(meaningOf(readTemplate(printTemplate(parts))), meaningOf(parts))
    })
    fc.assert(property, { numRuns: 3000 })
  })

  it('is read, or has a fault within it, whatever its text is', () => {
    const signs = fc.constantFrom(
      '{',
      '}',
      '|',
      ':',
      '"',
      ',',
      '[',
      ']',
      '=',
      ';',
      '.',
      'name',
      'map',
      'cut',
      'parent',
      'values',
      '1',
      ' ',
      '\\',
    )
    const property = fc.property(fc.oneof(fc.string({ unit: signs }), fc.string({ unit: 'binary' })), (text) => {
      const fault = findTemplateFault(text)
      if (fault === undefined)
        return assert.deepEqual(readTemplate(printTemplate(readTemplate(text))).length >= 0, true)
      assert.ok(fault.at >= 0 && fault.at <= text.length)
      return assert.equal(faultPlaceOf(fault.message), fault.at)
    })
    fc.assert(property, { numRuns: 5000 })
  })

  it('has white space around names and signs, which means nothing', () => {
    const spaced = '{ price.amount | fixed: 2 }{ color | map: { red : Rot , "a b": "B, {1}" } }'
    assert.equal(printTemplate(readTemplate(spaced)), '{price.amount|fixed:2}{color|map:{red:Rot,a b:"B, {1}"}}')
  })

  it('has braces of its own where they are doubled', () => {
    assert.deepEqual(meaningOf(readTemplate('{{{name}}}')), ['{', [readOne('{name}').source, []], '}'])
    assert.deepEqual(readTemplate('{{}}'), ['{}'])
  })

  it('means a field by the name of a field, and an attribute of that name behind `values`', () => {
    assert.deepEqual(readOne('{id}').source, { kind: 'field', field: 'id' })
    const attribute = { kind: 'attribute', isOfParent: false, scope: undefined, part: undefined }
    assert.deepEqual(readOne('{values.id}').source, { ...attribute, alias: 'id' })
    assert.deepEqual(readOne('{parent.id}').source, { ...attribute, alias: 'id', isOfParent: true })
    assert.deepEqual(readOne('{values.parent.unit}').source, { ...attribute, alias: 'parent', part: 'unit' })
  })

  it('has a fault that names its place and what was expected', () => {
    const cases: [string, number, RegExp][] = [
      ['Price: {price.amount', 20, /needs '\|' or '}' at character 21$/],
      ['a } b', 2, /has a '}' without its '{'/],
      ['{}', 1, /needs a name/],
      ['{name|uper}', 6, /has the unknown step 'uper' at character 7: did you mean 'upper'\?$/],
      ['{name|cut}', 9, /needs ':' and what 'cut' needs/],
      ['{name|cut:0}', 10, /needs a whole number from 1 to 100000 for 'cut'/],
      ['{name|cut:1.5}', 10, /whole number/],
      ['{name|fixed:11}', 12, /from 0 to 10/],
      ['{name|upper:x}', 11, /needs '\|' or '}'/],
      ['{name|default:}', 14, /needs a text/],
      ['{name|default:"x}', 14, /has a '"' without its end/],
      ['{name|default:"\\x"}', 14, /JSON/],
      ['{name|map:x}', 10, /needs '{'/],
      ['{name|map:{a:b,a:c}}', 15, /maps a text twice/],
      ['{name|map:{a}}', 12, /needs ':'/],
      ['{name[language=de;language=en]}', 18, /names the dimension 'language' twice/],
      ['{name[language]}', 14, /needs '='/],
      ['{name[language=de}', 17, /needs ';' or '\]'/],
      ['{categoryPath:}', 14, /needs the ID of a catalog/],
      ['{name|upper|unit:g}', 12, /must have 'unit' directly after a measurement/],
      ['{weight.amount|unit:g}', 15, /must have 'unit' directly/],
      ['{name|path:" > "}', 6, /must have 'path' directly after a category path/],
      ['{a}'.repeat(51), 150, /has more than 50 pieces/],
      ['{id.amount}', 3, /needs '\|' or '}'/],
    ]
    for (const [text, at, problem] of cases) {
      const fault = faultOf(text)
      assert.match(fault.message, problem)
      assert.equal(fault.at, at, text)
    }
  })

  it('names an attribute by its new alias after a renaming, and stays as it was written else', () => {
    const text = 'name { name | upper } {parent.name[language=de]}{{name}}{brand|default:name}{categoryPath:name}'
    assert.equal(
      renameInTemplate(text, 'name', 'title'),
      'name { title | upper } {parent.title[language=de]}{{name}}{brand|default:name}{categoryPath:name}',
    )
    assert.equal(renameInTemplate('{name}{values.name}', 'name', 'id'), '{values.id}{values.id}')
    assert.equal(renameInTemplate('{values.id}', 'id', 'name'), '{name}')
    assert.equal(renameInTemplate('{name.unit}', 'name', 'parent'), '{values.parent.unit}')
    const property = fc.property(template, alias, alias, (parts, from, to) => {
      const renamed = parts.map((part) =>
        isPiece(part) && part.source.kind === 'attribute' && part.source.alias === from
          ? { ...part, source: { ...part.source, alias: to } }
          : part,
      )
      assert.deepEqual(meaningOf(readTemplate(renameInTemplate(printTemplate(parts), from, to))), meaningOf(renamed))
    })
    fc.assert(property, { numRuns: 1000 })
  })
})

function readOne(text: string): Piece {
  const [one] = readTemplate(text).filter(isPiece)
  assert.ok(one !== undefined)
  return one
}
