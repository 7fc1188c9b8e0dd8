// The head of a schema or workflow. A change is applied after its effects were shown.
import { useState } from 'preact/hooks'
import { EditHead } from '../kit/edit-head.tsx'
import { useSaveKey } from '../kit/save-key.ts'
import { useConsole } from '../state/context.ts'
import type { FormDraft } from '../state/form-draft.ts'
import { t } from '../words/place.ts'
import { ApplyDialog, type Change } from './apply.tsx'

type ModelPlace = 'schemas' | 'workflows'

interface ApplyHeadProps extends Omit<Change, 'onDone'> {
  readonly place: ModelPlace
  readonly title: string
  readonly item: { readonly id: string; readonly name: string }
  readonly draft: Pick<FormDraft<object>, 'isChanged' | 'isOutdated' | 'drop'>
  readonly action: string
  readonly remove: () => Promise<unknown>
}

export function ApplyHead({ place, title, item, draft, action, remove, preview, apply }: ApplyHeadProps) {
  const { cache, model, router } = useConsole()
  const [isApplying, setApplying] = useState(false)
  const mayWrite = model.may('model.write')
  const start = () => draft.isChanged && setApplying(true)
  useSaveKey(start)
  const leave = async () => {
    router.go({ place })
    await model.load()
    cache.refreshAll(`model ${place}`)
  }
  const closedBecause = draft.isChanged ? undefined : t('form.nothingChanged')
  return (
    <>
      <EditHead
        title={title}
        above={aboveOf(place)}
        id={item.id}
        draft={draft}
        main={mayWrite ? { title: action, closedBecause, onClick: start } : undefined}
        deletion={mayWrite ? { name: item.name, remove, onDone: leave } : undefined}
      />
      {isApplying && <ApplyDialog change={{ preview, apply, onDone: draft.drop }} onClose={() => setApplying(false)} />}
    </>
  )
}

export const aboveOf = (place: ModelPlace) => ({ title: t(`model.${place}`), place })
