// Ctrl+S where there is something to save.
import { useRef } from 'preact/hooks'
import { useCommands } from '../state/context.ts'
import { t } from '../words/words.ts'

/** @param save of the rendering after the key is run: what was typed just before, or is added by it, belongs to it */
export function useSaveKey(save: () => void): void {
  const latest = useRef(save)
  latest.current = save
  useCommands(() => [
    {
      id: 'save',
      group: 'here',
      keys: 'ctrl+s',
      title: () => t('save'),
      run: () => void setTimeout(() => latest.current()),
    },
  ])
}
