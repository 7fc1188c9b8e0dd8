// A file: its name and facts, a download, and a thumbnail of a picture.
import type { FileName, FileValue } from '../../src/core/datatypes/file.ts'
import type { Values } from '../../src/core/records/rules/record.ts'
import type { Locale } from '../fields/field.ts'
import { factsOf } from '../fields/files.ts'
import { useActing } from '../kit/acting.ts'
import { Button } from '../kit/button.tsx'
import { saveFile } from '../kit/save-file.ts'
import { Thumb } from '../kit/thumb.tsx'
import { useConsole } from '../state/context.ts'
import { t } from '../words/place.ts'
import { useRecord } from './use-record.ts'

/** A file. Without facts, its hash was typed, and the value is not saved yet. */
type SeenFile = FileName & Partial<FileValue>

interface FileTextProps {
  readonly value: SeenFile
  readonly locale: Locale
  /** The chosen file with this content, until the record names it. */
  readonly chosen?: Blob | undefined
}

export function isFile(value: unknown): value is SeenFile {
  return typeof (value as Partial<FileName> | null | undefined)?.sha256 === 'string'
}

export function FileText({ value, locale, chosen }: FileTextProps) {
  const { isBusy, act } = useActing()
  const { recordId, isShown, own, read } = useContent(value, chosen)
  const { fileName: name, sha256 } = value
  return (
    <div class="file-text">
      {isShown && <Thumb picture={{ recordId, sha256 }} content={own} />}
      <span>
        <bdi>{name}</bdi>
        <small class="quiet">{factsOf(value, locale.tag)}</small>
      </span>
      <Button
        kind="quiet"
        icon="imports"
        label={t('record.file.download', { name })}
        isBusy={isBusy}
        onClick={() => act(async () => saveFile(await read(), name))}
      />
    </div>
  )
}

/** The server shows a file through a record that names it, and the caller's own uploads. */
function useContent({ sha256, width }: SeenFile, chosen: Blob | undefined) {
  const { call } = useConsole()
  const { form } = useRecord()
  const { stored, recordId } = form
  const isNamed = names(stored.value?.record.values, sha256) || names(stored.value?.parent, sha256)
  const isPicture = typeof width === 'number'
  const own = isNamed ? undefined : chosen
  const read = async (): Promise<Blob> => {
    if (own !== undefined) return own
    const answer = isNamed
      ? await call('GET /api/v1/records/:id/files/:sha256', { params: { id: recordId, sha256 }, isFile: true })
      : await call('GET /api/v1/files/:sha256', { params: { sha256 }, isFile: true })
    return answer.body as unknown as Blob
  }
  return { recordId, isShown: isPicture && (isNamed || own !== undefined), own, read }
}

function names(values: Values | null | undefined, sha256: string): boolean {
  const isIt = ({ value }: { readonly value: unknown }) => isFile(value) && value.sha256 === sha256
  return Object.values(values ?? {}).some((scoped) => scoped.some(isIt))
}
