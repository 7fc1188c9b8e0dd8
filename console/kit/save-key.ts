// Ctrl+S, while something can be saved.
import { useContext, useRef } from 'preact/hooks'
import { useCommands } from '../state/context.ts'
import { t } from '../words/words.ts'
import { Gone } from './states.tsx'

/** @param save called from the render after the key: it must include text typed just before, or added by the key */
export function useSaveKey(save: () => void): void {
  const isGone = useContext(Gone)
  const latest = useRef(save)
  latest.current = () => isGone || save()
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
