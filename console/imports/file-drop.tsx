// The area where the user drops or chooses a file, and the progress of the upload.
import { useRef } from 'preact/hooks'
import { Button } from '../kit/button.tsx'
import { useFileTaking } from '../kit/file-taking.ts'
import { Icon } from '../kit/icon.tsx'
import { ErrorBox } from '../kit/states.tsx'
import { UploadBar } from '../kit/upload-bar.tsx'
import { useCommands } from '../state/context.ts'
import { t } from '../words/place.ts'
import type { Upload } from './use-upload.ts'

const ENDINGS = '.csv,.tsv,.txt,.xlsx,.jsonl,.ndjson,.zip'

export function FileDrop({ upload }: { readonly upload: Upload }) {
  const field = useRef<HTMLInputElement>(null)
  const { isOver, onTake, dropping } = useFileTaking(([file]) => void upload.upload(file!))
  const choose = () => field.current?.click()
  useCommands(() => [{ id: 'imports-choose', group: 'here', title: () => t('imports.choose'), run: choose }])
  return (
    <>
      <div class={isOver ? 'file-drop over' : 'file-drop'} {...dropping}>
        <Icon name="imports" />
        {upload.now === undefined ? (
          <>
            <p>{t('imports.drop')}</p>
            <Button kind="main" onClick={choose}>
              {t('imports.choose')}
            </Button>
            <p class="hint">{t('imports.formats')}</p>
          </>
        ) : (
          <UploadProgress upload={upload} />
        )}
        <input ref={field} type="file" hidden accept={ENDINGS} aria-label={t('imports.choose')} onChange={onTake} />
      </div>
      {upload.failure !== undefined && <ErrorBox error={upload.failure.error} onRetry={upload.failure.retry} />}
    </>
  )
}

export function UploadProgress({ upload }: { readonly upload: Upload }) {
  if (upload.now === undefined) return null
  const { file, share } = upload.now
  return (
    <UploadBar
      name={file.name}
      share={share}
      label={t('imports.uploading')}
      sent={t('imports.reading')}
      onCancel={upload.cancel}
    />
  )
}
