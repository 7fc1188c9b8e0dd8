// Endpoints of comments, and of followers. Contract 5 §3.
import { reply } from '../../http/answers/replies.ts'
import { route } from '../../http/route.ts'
import {
  CommentPageShape,
  FollowInput,
  FollowShape,
  OpenCommentsQuery,
  OpenCommentsShape,
  ReadersQuery,
  ReadersShape,
} from './collaboration-shapes.ts'
import { CommentShape, CommentsQuery, CommentUpdate, CommentInput } from '../rules/comment.ts'

/** A page, with the cursor of the next one. */
export function pageReply<Item>({ items, next }: { readonly items: readonly Item[]; readonly next: string | null }) {
  return reply({ items }, { headers: next === null ? {} : { 'X-Next-Cursor': next } })
}

export const commentRoutes = [
  route({
    id: 'comments.list',
    endpoint: 'GET /api/v1/records/:id/comments',
    summary: 'List the comments on a record and its values',
    description: 'Comments on an attribute that the role may not read are left out. At most 100 on one page.',
    access: 'records.read',
    query: CommentsQuery,
    responses: { 200: CommentPageShape },
    headers: ['X-Next-Cursor'],
    handler: async ({ caller, params, query, services }) =>
      pageReply(await services.comments.list(caller, params.id, query)),
  }),
  route({
    id: 'comments.create',
    endpoint: 'POST /api/v1/records/:id/comments',
    summary: 'Comment on a record, on one of its values, or on a comment',
    description:
      'The text is plain, up to 4,000 characters. `@[usr-1]` mentions a user, up to 20 in one comment; the user must be able to read the record and the attribute. Mentioned users, authors of the thread, assigned persons and followers get a notice. The author follows the record from now on. A record has at most 200 open threads and 2,000 comments.',
    access: 'comments.write',
    body: CommentInput,
    responses: { 201: CommentShape },
    errors: ['LIMIT_EXCEEDED'],
    handler: ({ caller, params, body, services }) => services.comments.create(caller, params.id, body),
  }),
  route({
    id: 'comments.countOpen',
    endpoint: 'GET /api/v1/comments/open',
    summary: 'Count the open threads of up to 100 records, by value',
    description: 'Values without an open thread, hidden attributes and unknown records are left out.',
    access: 'records.read',
    query: OpenCommentsQuery,
    responses: { 200: OpenCommentsShape },
    handler: async ({ caller, query, services }) => ({
      items: await services.comments.countOpen(caller, query.recordIds.split(',')),
    }),
  }),
  route({
    id: 'comments.get',
    endpoint: 'GET /api/v1/comments/:id',
    summary: 'Read a comment',
    access: 'records.read',
    responses: { 200: CommentShape },
    handler: ({ caller, params, services }) => services.comments.get(caller, params.id),
  }),
  route({
    id: 'comments.update',
    endpoint: 'PATCH /api/v1/comments/:id',
    summary: 'Change the text of your comment, or resolve or reopen a thread',
    description: 'Users who are newly mentioned get a notice.',
    access: 'comments.write',
    body: CommentUpdate,
    responses: { 200: CommentShape },
    errors: ['CONFLICT', 'LIMIT_EXCEEDED'],
    handler: ({ caller, params, body, services }) => services.comments.change(caller, params.id, body),
  }),
  route({
    id: 'comments.delete',
    endpoint: 'DELETE /api/v1/comments/:id',
    summary: 'Delete your comment; with `comments.moderate`, any comment',
    description: 'If the comment has replies, only its text is deleted.',
    access: 'comments.write',
    responses: { 204: null },
    handler: ({ caller, params, services }) => services.comments.delete(caller, params.id),
  }),
  route({
    id: 'comments.readers',
    endpoint: 'GET /api/v1/records/:id/readers',
    summary: 'List the people whom a comment on the record may mention: the first 20',
    access: 'comments.write',
    query: ReadersQuery,
    responses: { 200: ReadersShape },
    handler: async ({ caller, params, query, services }) => ({
      items: await services.comments.findReaders(caller, params.id, query),
    }),
  }),
  route({
    id: 'comments.follows',
    endpoint: 'GET /api/v1/records/:id/follow',
    summary: 'Whether you follow the record',
    access: 'records.read',
    responses: { 200: FollowShape },
    handler: ({ caller, params, services }) => services.comments.follows(caller, params.id),
  }),
  route({
    id: 'comments.follow',
    endpoint: 'PUT /api/v1/records/:id/follow',
    summary: 'Follow the record, or leave it',
    description: 'Followers get a notice of each comment on the record that they may read.',
    access: 'records.read',
    body: FollowInput,
    responses: { 200: FollowShape },
    handler: ({ caller, params, body, services }) => services.comments.follow(caller, params.id, body.follows),
  }),
]
