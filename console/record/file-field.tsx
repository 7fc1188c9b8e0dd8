// The input of a file: chosen in the file dialog, dropped, or pasted.
import { useRef, useState } from 'preact/hooks'
import { type FileValue, findFileFault } from '../../src/core/datatypes/file.ts'
import type { Attribute } from '../../src/core/model/rules/attributes.ts'
import type { Locale } from '../fields/field.ts'
import { problemText } from '../fields/problem-text.ts'
import { Button } from '../kit/button.tsx'
import { sayFailure } from '../kit/failure-text.ts'
import type { FieldInput } from '../kit/field.tsx'
import { Icon } from '../kit/icon.tsx'
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
  const { isOver, onTake, dropping } = useDropping((file) =>
    upload(file, (uploaded) => onTyped(checked(uploaded, attribute))),
  )
  const hasFile = isFile(value)
  const isRefused = input['aria-invalid'] !== undefined
  /** The pressed button disappears, and the focus stays in the field. */
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
        <span class="file-choose">
          <input
            {...input}
            ref={field}
            type="file"
            title={t(hasFile ? 'record.file.replace' : 'record.file.choose')}
            accept={attribute.validation.mediaTypes?.join(',')}
            onChange={onTake}
          />
          <span class="button plain" aria-hidden="true">
            <Icon name="exports" />
            {t(hasFile ? 'record.file.replace' : 'record.file.choose')}
          </span>
        </span>
        {((hasFile && !isBorrowed) || isRefused) && (
          <Button icon="delete" onClick={focusing(() => onTyped({ value: null }))}>
            {t('record.file.remove')}
          </Button>
        )}
        <span class="hint">{t('record.file.drop')}</span>
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

/** A file against the rules stands beside the field, and is not saved. */
function checked(value: FileValue, { validation }: Attribute): Pick<FieldChange, 'value' | 'problem'> {
  const fault = findFileFault(value, validation)
  return fault === undefined ? { value } : { value, problem: problemText(fault.problem) }
}

/** Takes the first file of a choice, a drop or a paste; pasted text stays text. */
function useDropping(onFile: (file: File) => unknown) {
  const [isOver, setOver] = useState(false)
  const take = (files: FileList | null | undefined): boolean => {
    const file = files?.[0]
    if (file !== undefined) void onFile(file)
    return file !== undefined
  }
  const onTake = ({ currentTarget }: { readonly currentTarget: HTMLInputElement }): void => {
    take(currentTarget.files)
    // Emptied, so that choosing the same file again is a change, too.
    currentTarget.value = ''
  }
  const dropping = {
    onDragOver: (event: DragEvent) => {
      event.preventDefault()
      setOver(true)
    },
    onDragLeave: () => setOver(false),
    onDrop: (event: DragEvent) => {
      event.preventDefault()
      setOver(false)
      take(event.dataTransfer?.files)
    },
    onPaste: (event: ClipboardEvent) => {
      if (take(event.clipboardData?.files)) event.preventDefault()
    },
  }
  return { isOver, onTake, dropping }
}
