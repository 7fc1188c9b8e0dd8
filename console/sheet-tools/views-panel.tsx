// Views of the sheet: open, change, save for oneself or for everybody. G10.
import { useState } from 'preact/hooks'
import { useSaving } from '../kit/acting.ts'
import { Button } from '../kit/button.tsx'
import { Segmented } from '../kit/chips.tsx'
import { TextField } from '../kit/field.tsx'
import { sayFailure } from '../kit/failure-text.ts'
import { Form } from '../kit/form.tsx'
import { useConsole } from '../state/context.ts'
import type { ViewsPanelProps } from '../state/sheet-panel-props.ts'
import { hinted, t } from '../words/place.ts'

type Visibility = Parameters<ViewsPanelProps['onCreate']>[1]

export function ViewsPanel({ views, current, isChanged, onOpen, onCreate, onSave, onDelete, onDone }: ViewsPanelProps) {
  const mayWrite = useConsole().model.may('savedQueries.write')
  const { run, error } = useAction(onDone)
  return (
    <div class="views">
      <div class="menu">
        <ViewEntry name={t('records.viewNone')} isCurrent={current === undefined} onOpen={() => onOpen(undefined)} />
        {views.map((view) => (
          <ViewEntry
            key={view.id}
            name={view.name}
            detail={t(view.visibility === 'private' ? 'records.viewPrivate' : 'records.viewShared')}
            isCurrent={view.id === current?.id}
            onOpen={() => onOpen(view.id)}
          />
        ))}
      </div>
      {current !== undefined && (
        <div class="row">
          {isChanged && mayWrite && <Button onClick={() => run(onSave)}>{t('records.viewSave')}</Button>}
          {isChanged && <Button onClick={() => onOpen(current.id)}>{t('records.viewReset')}</Button>}
          {mayWrite && (
            <Button kind="quiet" icon="delete" onClick={() => run(onDelete)}>
              {t('records.viewDelete')}
            </Button>
          )}
        </div>
      )}
      {mayWrite && (
        <SaveForm
          name={current?.name ?? ''}
          isFirst={views.length === 0}
          error={error}
          onSave={(name, visibility) => run(() => onCreate(name, visibility))}
        />
      )}
    </div>
  )
}

function ViewEntry(props: {
  readonly name: string
  readonly detail?: string
  readonly isCurrent: boolean
  readonly onOpen: () => void
}) {
  return (
    <button type="button" aria-current={props.isCurrent ? 'true' : undefined} onClick={props.onOpen}>
      <span class="mark">{props.isCurrent ? '✓' : ''}</span>
      <span class="grow" dir="auto">
        {props.name}
      </span>
      <span class="quiet">{props.detail}</span>
    </button>
  )
}

function SaveForm(props: {
  readonly name: string
  /** True: the list contains nothing else to choose. */
  readonly isFirst: boolean
  readonly error: string | undefined
  readonly onSave: (name: string, visibility: Visibility) => void
}) {
  const [name, setName] = useState(props.name)
  const [visibility, setVisibility] = useState<Visibility>('private')
  return (
    <Form class="stack" onSubmit={() => name.trim() !== '' && props.onSave(name.trim(), visibility)}>
      <TextField
        {...hinted('records.viewName')}
        value={name}
        hasFocus={props.isFirst}
        onInput={setName}
        error={props.error}
      />
      <Segmented
        {...hinted('records.viewSaveAs')}
        value={visibility}
        choices={[
          { id: 'private', name: t('records.viewPrivate') },
          { id: 'shared', name: t('records.viewShared') },
        ]}
        onChange={setVisibility}
      />
      <Button kind="main" type="submit">
        {t('records.viewSaveAs')}
      </Button>
    </Form>
  )
}

function useAction(onDone: () => void) {
  const { act, error } = useSaving()
  const run = (work: () => Promise<void>): void => void act(work).then((isDone) => isDone && onDone())
  return { run, error: error && sayFailure(error) }
}
