// Adds pictures to a list: uploads, each with its progress or its failure, and existing records.
import { Button } from '../kit/button.tsx'
import { Combobox } from '../kit/combobox.tsx'
import { CameraChoice, FileChoice } from '../kit/file-choice.tsx'
import { useRecordFinder } from '../kit/record-field.tsx'
import { isTouch } from '../kit/touch.ts'
import { UploadBar } from '../kit/upload-bar.tsx'
import type { GalleryPanelProps } from '../state/panel-props.ts'
import { t } from '../words/place.ts'
import type { Upload, Uploads } from './uploads.ts'

interface AddPicturesProps extends Pick<GalleryPanelProps, 'pictures'> {
  readonly input: NonNullable<GalleryPanelProps['input']>
  readonly uploads: Uploads<string>
  /** Undefined: the role may not make pictures. */
  readonly onTake: ((event: { readonly currentTarget: HTMLInputElement }) => void) | undefined
  readonly onAdd: (recordId: string) => void
}

export function AddPictures({ input, pictures, uploads, onTake, onAdd }: AddPicturesProps) {
  const find = useRecordFinder(pictures.schema.id)
  return (
    <>
      {uploads.items.value.map((item) => (
        <UploadLine key={item.key} item={item} uploads={uploads} />
      ))}
      <div class="row">
        {onTake !== undefined && (
          <>
            <FileChoice
              input={input}
              title={t('gallery.choose')}
              accept={pictures.file.validation.mediaTypes?.join(',')}
              isMultiple
              onTake={onTake}
            />
            <CameraChoice input={input} onTake={onTake} />
            {!isTouch && <span class="hint">{t('gallery.drop')}</span>}
          </>
        )}
        <Combobox
          {...(onTake === undefined ? { input } : {})}
          label={t('gallery.existing')}
          placeholder={t('gallery.existing')}
          options={find}
          value={null}
          onChange={(option) => option !== null && onAdd(option.id)}
        />
      </div>
    </>
  )
}

export function UploadLine({
  item,
  uploads,
}: {
  readonly item: Upload
  readonly uploads: Pick<Uploads, 'drop' | 'retry'>
}) {
  const { key, file, share = 0, failure } = item
  const drop = () => uploads.drop(key)
  if (failure === undefined)
    return (
      <UploadBar name={file.name} share={share} label={t('gallery.uploading', { name: file.name })} onCancel={drop} />
    )
  return (
    <div class="row fault" role="alert">
      <bdi>{file.name}</bdi>
      <span>{failure}</span>
      <Button icon="redo" onClick={() => uploads.retry(item)}>
        {t('retry')}
      </Button>
      <Button kind="quiet" icon="close" label={t('remove', { name: file.name })} onClick={drop} />
    </div>
  )
}
