// The dialog that names a catalog, or a category with a name per language.
import { useState } from 'preact/hooks'
import type { Names } from '../../src/core/model/rules/names.ts'
import { useSaving } from '../kit/acting.ts'
import { sayFailure } from '../kit/failure-text.ts'
import { TextField } from '../kit/field.tsx'
import { DialogForm } from '../kit/draft-form.tsx'
import { useConsole } from '../state/context.ts'
import { t } from '../words/place.ts'
import { language } from '../words/words.ts'
import { filledNames, languageName, languagesOf } from '../state/language-names.ts'
import { own } from '../../src/kernel/own.ts'

interface NameDialogProps {
  readonly title: string
  readonly name?: string
  /** Undefined: the object has a single name. */
  readonly names?: Names | undefined
  readonly onSave: (name: string, names: Names) => Promise<void>
  readonly onClose: () => void
}

export function NameDialog({ title, name: before = '', names: namesBefore, onSave, onClose }: NameDialogProps) {
  const [name, setName] = useState(before)
  const [names, setNames] = useState<Names>(namesBefore ?? {})
  const { isBusy, error, act } = useSaving()
  const save = () =>
    act(async () => {
      await onSave(name.trim(), filledNames(names))
      onClose()
    })
  return (
    <DialogForm
      title={title}
      class="name-form"
      action={t('save')}
      saving={{ isBusy }}
      closedBecause={name.trim() === '' ? t('form.nameFirst') : undefined}
      onSubmit={save}
      onClose={onClose}
    >
      <TextField
        label={t('name')}
        value={name}
        onInput={setName}
        error={error && sayFailure(error)}
        isRequired
        hasFocus
      />
      {namesBefore !== undefined && <NameFields names={names} onChange={setNames} />}
    </DialogForm>
  )
}

function NameFields({ names, onChange }: { readonly names: Names; readonly onChange: (names: Names) => void }) {
  const { browser, model } = useConsole()
  return (
    <fieldset class="names">
      <legend>{t('categories.names')}</legend>
      {languagesOf(model.dimensions.value, names, browser.spoken).map((tag) => (
        <TextField
          key={tag}
          label={languageName(tag, language.value)}
          value={own(names, tag) ?? ''}
          onInput={(text) => onChange({ ...names, [tag]: text })}
        />
      ))}
    </fieldset>
  )
}
