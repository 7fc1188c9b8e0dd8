// Assignments as lines: the person or the record, the day, the note, and the buttons.
import type { ComponentChildren } from 'preact'
import { useActing } from '../kit/acting.ts'
import { Button } from '../kit/button.tsx'
import { Icon } from '../kit/icon.tsx'
import type { Endpoints } from '../api/types.ts'
import { useConsole } from '../state/context.ts'
import { t } from '../words/place.ts'
import { day } from '../words/words.ts'

export type AssignmentBody = Endpoints['GET /api/v1/assignments/:id']['reply']

interface WorkLineProps {
  readonly assignment: AssignmentBody
  readonly onChanged: () => void
  /** The record, in lists of several records; default: the assigned person. */
  readonly title?: ComponentChildren
}

/** The buttons of an assignment, for the assigned person and for whoever may take it back. */
const STEPS = [
  {
    from: 'open',
    to: 'done',
    word: 'forMe.state.done',
    icon: 'check',
    kind: 'plain',
    may: (isMine: boolean, isGiver: boolean) => isMine || isGiver,
  },
  {
    from: 'open',
    to: 'withdrawn',
    word: 'talk.takeBack',
    icon: 'undo',
    kind: 'quiet',
    may: (isMine: boolean, isGiver: boolean) => isGiver && !isMine,
  },
  {
    from: 'done',
    to: 'open',
    word: 'talk.reopen',
    icon: 'redo',
    kind: 'quiet',
    may: (isMine: boolean, isGiver: boolean) => isMine || isGiver,
  },
  {
    from: 'withdrawn',
    to: 'open',
    word: 'talk.reopen',
    icon: 'redo',
    kind: 'quiet',
    may: (_isMine: boolean, isGiver: boolean) => isGiver,
  },
] as const

export function WorkLine({ assignment, onChanged, title }: WorkLineProps) {
  const { call, model, session, undo } = useConsole()
  const { isBusy, act } = useActing()
  const { id, assignee, assignedBy, state, note } = assignment
  const me = session.user.value?.id
  const isMine = assignee.id === me
  const isGiver = (assignedBy.kind === 'user' && assignedBy.id === me) || model.may('comments.moderate')
  const send = async (to: AssignmentBody['state']) => {
    await call('PATCH /api/v1/assignments/:id', { params: { id }, body: { state: to } })
    onChanged()
  }
  const change = (to: AssignmentBody['state'], name: string) =>
    void act(() => undo.take({ name, redo: () => send(to), undo: () => send(state) }))
  return (
    <li class="work-line">
      <div class="grow">
        <div class="row">
          <strong dir="auto">{title ?? assignee.name ?? assignee.id}</strong>
          <Due assignment={assignment} />
        </div>
        {note !== '' && (
          <p class="comment-text" dir="auto">
            {note}
          </p>
        )}
        <p class="quiet" dir="auto">
          {t('talk.assignedBy', { name: assignedBy.name ?? assignedBy.id })}
          {title !== undefined && !isMine && ` · ${t('talk.assignedTo', { name: assignee.name ?? assignee.id })}`}
        </p>
      </div>
      {STEPS.filter(({ from, may }) => from === state && may(isMine, isGiver)).map(({ to, word, icon, kind }) => (
        <Button key={to} kind={kind} icon={icon} isBusy={isBusy} onClick={() => change(to, t(word))}>
          {t(word)}
        </Button>
      ))}
    </li>
  )
}

function Due({ assignment: { dueOn, overdue, state } }: { readonly assignment: AssignmentBody }) {
  if (state !== 'open') return <span class="quiet">{t(`talk.state.${state}`)}</span>
  if (dueOn === null) return null
  const shown = day(`${dueOn}T12:00:00Z`)
  return overdue ? (
    <span class="sign bad">
      <Icon name="bad" />
      {t('home.overdue', { day: shown })}
    </span>
  ) : (
    <span class="quiet">{t('talk.dueOn', { day: shown })}</span>
  )
}
