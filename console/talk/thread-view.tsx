// One thread: its comments, the reply, and the button that ends it.
import { useState } from 'preact/hooks'
import type { CallOptions } from '../api/call.ts'
import { useActing } from '../kit/acting.ts'
import { Ago } from '../kit/ago.tsx'
import { Button } from '../kit/button.tsx'
import { Confirm } from '../kit/confirm.tsx'
import { MenuButton } from '../kit/menu.tsx'
import type { Console } from '../state/console.ts'
import { useConsole } from '../state/context.ts'
import type { Step } from '../state/undo.ts'
import { t } from '../words/place.ts'
import { Composer } from './composer.tsx'
import { partsOf, toWritten } from './mention-text.ts'
import type { CommentBody, Thread } from './threads.ts'

interface ThreadProps {
  readonly thread: Thread
  /** The name of the value; undefined: the whole record. */
  readonly about: string | undefined
  readonly onChanged: () => void
}

export function ThreadView({ thread: { head, replies }, about, onChanged }: ThreadProps) {
  const { call, model, undo } = useConsole()
  const { isBusy, act } = useActing()
  const [isReplying, setReplying] = useState(false)
  const isResolved = head.resolvedAt !== null
  const mayWrite = model.may('comments.write')
  const send = async (resolved: boolean) => {
    await call('PATCH /api/v1/comments/:id', { params: { id: head.id }, body: { resolved } })
    onChanged()
  }
  const name = t(isResolved ? 'talk.reopen' : 'talk.resolve')
  const resolve = () => undo.take({ name, redo: () => send(!isResolved), undo: () => send(isResolved) })
  const reply = async (text: string) => {
    await call('POST /api/v1/records/:id/comments', {
      params: { id: head.recordId },
      body: { text, threadId: head.id },
    })
    setReplying(false)
    onChanged()
  }
  return (
    <li class={isResolved ? 'thread resolved' : 'thread'}>
      {about !== undefined && (
        <p class="thread-about" dir="auto">
          {about}
        </p>
      )}
      <CommentView comment={head} onChanged={onChanged} />
      {replies.length > 0 && (
        <ol class="replies">
          {replies.map((comment) => (
            <li key={comment.id}>
              <CommentView comment={comment} onChanged={onChanged} />
            </li>
          ))}
        </ol>
      )}
      {isResolved && (
        <p class="quiet">{t('talk.resolvedBy', { name: head.resolvedBy?.name ?? head.resolvedBy?.id ?? '' })}</p>
      )}
      {mayWrite && !isReplying && (
        <div class="row">
          <Button kind="quiet" icon="hook" onClick={() => setReplying(true)}>
            {t('talk.reply')}
          </Button>
          <Button kind="quiet" icon={isResolved ? 'redo' : 'check'} isBusy={isBusy} onClick={() => void act(resolve)}>
            {name}
          </Button>
        </div>
      )}
      {isReplying && (
        <Composer
          recordId={head.recordId}
          attributeAlias={head.attributeAlias}
          label={t('talk.reply')}
          action={t('talk.reply')}
          hasFocus
          onSend={reply}
          onCancel={() => setReplying(false)}
        />
      )}
    </li>
  )
}

interface CommentProps {
  readonly comment: CommentBody
  readonly onChanged: () => void
}

function CommentView({ comment, onChanged }: CommentProps) {
  const { call } = useConsole()
  const [isEditing, setEditing] = useState(false)
  const { id, author, createdAt, editedAt, deleted } = comment
  const edit = async (text: string) => {
    await call('PATCH /api/v1/comments/:id', { params: { id }, body: { text } })
    setEditing(false)
    onChanged()
  }
  const mentions = comment.mentions.map((one) => ({ id: one.id, name: one.name ?? one.id }))
  const parts = partsOf(comment.text, new Map(mentions.map((one) => [one.id, one.name])))
  return (
    <article class="comment" id={id} tabIndex={-1} aria-label={t('talk.by', { name: author.name ?? author.id })}>
      <header class="row">
        <strong dir="auto">{author.name ?? author.id}</strong>
        <span class="quiet">
          <Ago at={createdAt} />
          {editedAt !== null && !deleted && ` · ${t('talk.edited')}`}
        </span>
        <span class="grow" />
        {!deleted && <CommentMenu comment={comment} onEdit={() => setEditing(true)} onChanged={onChanged} />}
      </header>
      {isEditing ? (
        <Composer
          recordId={comment.recordId}
          attributeAlias={comment.attributeAlias}
          label={t('edit')}
          action={t('save')}
          text={toWritten(parts)}
          mentions={mentions}
          hasFocus
          onSend={edit}
          onCancel={() => setEditing(false)}
        />
      ) : deleted ? (
        <p class="quiet">{t('talk.wasDeleted')}</p>
      ) : (
        <p class="comment-text" dir="auto">
          {parts.map((part, index) =>
            typeof part === 'string' ? (
              part
            ) : (
              <b key={index} class="mention">
                @{part.name}
              </b>
            ),
          )}
        </p>
      )}
    </article>
  )
}

function CommentMenu({ comment, onEdit, onChanged }: CommentProps & { readonly onEdit: () => void }) {
  const console = useConsole()
  const { model, session } = console
  const { act } = useActing()
  const [isAsking, setAsking] = useState(false)
  const { author } = comment
  const isOwn = author.kind === 'user' && author.id === session.user.value?.id
  const entries = [
    ...(isOwn ? [{ title: t('edit'), icon: 'edit' as const, run: onEdit }] : []),
    ...(isOwn || model.may('comments.moderate')
      ? [{ title: t('delete'), icon: 'delete' as const, run: () => setAsking(true) }]
      : []),
  ]
  if (entries.length === 0 || !model.may('comments.write')) return null
  const remove = async () => {
    setAsking(false)
    const step = stepOfDeleting(console, comment, onChanged)
    await (isOwn ? console.undo.take(step) : step.redo())
  }
  return (
    <>
      <MenuButton kind="quiet" icon="more" label={t('talk.actions')} entries={entries} />
      {isAsking && (
        <Confirm
          title={t('talk.deleteTitle')}
          action={t('delete')}
          icon="delete"
          onClose={() => setAsking(false)}
          onYes={() => void act(remove)}
        >
          <p>{t(isOwn ? 'talk.deleteOwnHelp' : 'talk.deleteHelp')}</p>
        </Confirm>
      )}
    </>
  )
}

/** The server keeps no deleted text: undo writes the comment again, as the present user. */
function stepOfDeleting({ call }: Console, comment: CommentBody, onChanged: () => void): Step {
  const { recordId, threadId, text, attributeAlias, scope } = comment
  let { id } = comment
  return {
    name: t('talk.stepDelete'),
    redo: async () => {
      await call('DELETE /api/v1/comments/:id', { params: { id } })
      onChanged()
    },
    undo: async () => {
      const place = threadId === null ? { attributeAlias, scope } : { threadId }
      const body = { text, ...place } as NonNullable<CallOptions<'POST /api/v1/records/:id/comments'>['body']>
      id = (await call('POST /api/v1/records/:id/comments', { params: { id: recordId }, body })).body.id
      onChanged()
    },
  }
}
