// The progress of a run: the number of records in the file, or the attempt at delivery.
import type { ExportRun } from './job-draft.ts'
import { byteText } from '../fields/measures.ts'
import { t } from '../words/place.ts'
import { number, time } from '../words/words.ts'

export function RunProgress({ progress }: { readonly progress: NonNullable<ExportRun['progress']> }) {
  const { phase, records, total, bytes, attempt, nextAttemptAt, files } = progress
  const isCounted = phase === 'rendering' && total !== null
  return (
    <span class="row">
      <progress
        aria-label={t(`exports.phase.${phase}`)}
        {...(isCounted ? { value: records, max: Math.max(1, total) } : {})}
      />
      {t(`exports.phase.${phase}`)}
      <span class="quiet">
        {[
          total === null ? t('records', { count: records }) : t('of', { at: records, total }),
          bytes === 0 ? '' : byteText(bytes, number),
          files === null ? '' : t('exports.filesDone', { count: files }),
          attempt > 1 ? t('exports.attempt', { attempt }) : '',
          nextAttemptAt === null ? '' : t('form.nextAttempt', { at: time(nextAttemptAt) }),
        ]
          .filter(Boolean)
          .join(' · ')}
      </span>
    </span>
  )
}
