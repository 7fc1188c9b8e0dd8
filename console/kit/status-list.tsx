// Messages about recent events, at the lower edge.
import { useConsole } from '../state/context.ts'
import { t } from '../words/words.ts'
import { Button } from './button.tsx'
import { Icon } from './icon.tsx'

export function StatusList() {
  const { status } = useConsole()
  return (
    <div class="statuses" role="status" aria-live="polite">
      {status.messages.value.map(({ id, text, kind, action }) => (
        <div key={id} class={`status ${kind}`}>
          <Icon name={kind === 'bad' ? 'bad' : 'check'} />
          <span dir="auto">{text}</span>
          {action !== undefined && <Button onClick={action.run}>{action.title}</Button>}
          <Button kind="quiet" icon="close" label={t('close')} onClick={() => status.close(id)} />
        </div>
      ))}
    </div>
  )
}
