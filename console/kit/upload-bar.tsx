// A file that is uploading: its name, its progress in per cent, and a button that ends it.
import { t } from '../words/words.ts'
import { percent } from '../words/words.ts'
import { Button } from './button.tsx'

interface UploadBarProps {
  readonly name: string
  /** The uploaded share, from 0 to 1; at 1, the server still works. */
  readonly share: number
  /** The name of the progress, such as 'Uploading'. */
  readonly label: string
  /** Replaces the percentage after the server has all bytes. */
  readonly sent?: string
  readonly onCancel: () => void
}

export function UploadBar({ name, share, label, sent, onCancel }: UploadBarProps) {
  return (
    <div class="row upload-bar" role="status">
      <bdi>{name}</bdi>
      <progress value={share} max={1} aria-label={label} />
      {/* A screen reader that reads each percentage would read nothing else. */}
      <span aria-hidden="true">{share < 1 || sent === undefined ? percent(Math.floor(share * 100)) : sent}</span>
      <Button onClick={onCancel}>{t('cancel')}</Button>
    </div>
  )
}
