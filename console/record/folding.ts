// Groups that a person has folded, stored for each schema, and the text that finds fields by name.
import { useSignalEffect } from '@preact/signals'
import { useState } from 'preact/hooks'
import type { Attribute } from '../../src/core/model/rules/attributes.ts'
import { own } from '../../src/kernel/own.ts'
import { fold } from '../state/fold.ts'
import { useConsole } from '../state/context.ts'
import type { FormGroup } from './form-groups.ts'
import { useRecord } from './use-record.ts'

/** The member of the preferences: by schema, the IDs of folded groups. */
const FOLDS = 'folds'
/** The most stored schemas: preferences have a limit. */
const MAX_SCHEMAS = 50

export interface Folding {
  readonly text: string
  readonly setText: (text: string) => void
  /** The groups, with only the found attributes. */
  readonly groups: readonly FormGroup[]
  readonly isFolded: (group: FormGroup) => boolean
  readonly toggle: (group: FormGroup) => void
  readonly toggleAll: () => void
  readonly areAllFolded: boolean
}

export function useFolding(all: readonly FormGroup[]): Folding {
  const { model, preferences } = useConsole()
  const { form, schema } = useRecord()
  const [text, setText] = useState('')
  // A jump leads to a field that the text, or a folded group, would hide.
  useSignalEffect(() => {
    if (form.target.value !== undefined) setText('')
  })
  const target = form.target.value?.alias
  const folds = (preferences.ofPlace(FOLDS) ?? {}) as Readonly<Record<string, readonly string[]>>
  const folded = new Set(own(folds, schema.id))
  const words = fold(text.trim()).split(/\s+/)
  const isFound = (attribute: Attribute): boolean => {
    const name = fold(`${model.nameOf(attribute)} ${attribute.alias}`)
    return words.every((word) => name.includes(word))
  }
  const store = (ids: ReadonlySet<string>): void => {
    form.target.value = undefined
    const others = Object.entries(folds).filter(([schemaId]) => schemaId !== schema.id)
    const next = [...others.slice(1 - MAX_SCHEMAS), [schema.id, [...ids]] as const]
    preferences.setPlace(FOLDS, Object.fromEntries(next))
  }
  const isFolded = ({ id, attributes }: FormGroup): boolean =>
    text.trim() === '' && folded.has(id) && !attributes.some(({ alias }) => alias === target)
  const areAllFolded = all.every((group) => isFolded(group))
  return {
    text,
    setText,
    groups: all
      .map((group) => ({ ...group, attributes: group.attributes.filter(isFound) }))
      .filter(({ attributes }) => attributes.length > 0),
    isFolded,
    toggle: (group) => store(isFolded(group) ? without(folded, group.id) : new Set([...folded, group.id])),
    toggleAll: () => store(new Set(areAllFolded ? [] : all.map(({ id }) => id))),
    areAllFolded,
  }
}

function without(ids: ReadonlySet<string>, id: string): ReadonlySet<string> {
  return new Set([...ids].filter((one) => one !== id))
}
