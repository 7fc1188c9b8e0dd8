// The input of a file: chosen in the file dialog, dropped, or pasted.
import { useRef } from 'preact/hooks'
import { type FileValue, findFileFault } from '../../src/core/datatypes/file.ts'
import type { Attribute } from '../../src/core/model/rules/attributes.ts'
import type { Locale } from '../fields/field.ts'
import { problemText } from '../fields/problem-text.ts'
import { Button } from '../kit/button.tsx'
import { sayFailure } from '../kit/failure-text.ts'
import type { FieldInput } from '../kit/field.tsx'
import { CameraChoice, FileChoice } from '../kit/file-choice.tsx'
import { useFileTaking } from '../kit/file-taking.ts'
import { isTouch } from '../kit/touch.ts'
import { UploadBar } from '../kit/upload-bar.tsx'
import { useConsole } from '../state/context.ts'
import { t } from '../words/place.ts'
import type { FieldChange } from './changes.ts'
import { FileText, isFile } from './file-text.tsx'
import { useFileUpload } from './use-file-upload.ts'

interface FileFieldProps {
  readonly attribute: Attribute
  readonly value: unknown
  readonly isBorrowed: boolean
  readonly locale: Locale
  readonly input: FieldInput
  readonly onTyped: (typed: Pick<FieldChange, 'value' | 'problem'>) => void
}

export function FileField({ attribute, value, isBorrowed, locale, input, onTyped }: FileFieldProps) {
  const { model } = useConsole()
  const field = useRef<HTMLInputElement>(null)
  const { uploading, error, chosen, upload, cancel } = useFileUpload()
  const { isOver, onTake, dropping } = useFileTaking(
    ([file]) => void upload(file!, (uploaded) => onTyped(checked(uploaded, attribute))),
  )
  const hasFile = isFile(value)
  const isRefused = input['aria-invalid'] !== undefined
  /** Moves the focus to the field, because the pressed button disappears. */
  const focusing = (work: () => void) => () => {
    work()
    field.current?.focus()
  }
  return (
    <div
      class={isOver ? 'file-field over' : 'file-field'}
      role="group"
      aria-label={model.nameOf(attribute)}
      // A click into the field prepares it for pasting.
      tabIndex={-1}
      {...dropping}
    >
      {hasFile && (
        <FileText value={value} locale={locale} chosen={chosen?.sha256 === value.sha256 ? chosen.content : undefined} />
      )}
      <div class="row">
        <FileChoice
          input={input}
          field={field}
          title={t(hasFile ? 'record.file.replace' : 'record.file.choose')}
          accept={attribute.validation.mediaTypes?.join(',')}
          onTake={onTake}
        />
        {takesPictures(attribute) && <CameraChoice input={input} onTake={onTake} />}
        {((hasFile && !isBorrowed) || isRefused) && (
          <Button icon="delete" onClick={focusing(() => onTyped({ value: null }))}>
            {t('record.file.remove')}
          </Button>
        )}
        {!isTouch && <span class="hint">{t('record.file.drop')}</span>}
      </div>
      {uploading !== undefined && (
        <UploadBar {...uploading} label={t('record.file.uploading')} onCancel={focusing(cancel)} />
      )}
      {error !== undefined && (
        <div class="fault" role="alert">
          {sayFailure(error)}
        </div>
      )}
    </div>
  )
}

function takesPictures({ validation }: Attribute): boolean {
  return validation.mediaTypes?.some((type) => type.startsWith('image/')) ?? true
}

/** Checks a file. A file that breaks the rules is shown beside the field, and is not saved. */
function checked(value: FileValue, { validation }: Attribute): Pick<FieldChange, 'value' | 'problem'> {
  const fault = findFileFault(value, validation)
  return fault === undefined ? { value } : { value, problem: problemText(fault.problem) }
}
