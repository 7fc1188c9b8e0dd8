// Says that the server does not answer, and shows the number of waiting writes.
import { Button } from '../kit/button.tsx'
import { Icon } from '../kit/icon.tsx'
import { useConsole } from '../state/context.ts'
import { t } from '../words/words.ts'

export function OfflineBar() {
  const { offline } = useConsole()
  if (!offline.isOffline.value) return null
  const count = offline.count.value
  return (
    <div class="offline" role="status">
      <Icon name="wait" />
      <span class="grow">
        {t('offline.bar')} {count > 0 && t('offline.waiting', { count })}
      </span>
      <Button onClick={() => offline.retry()}>{t('offline.retry')}</Button>
    </div>
  )
}
