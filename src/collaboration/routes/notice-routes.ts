// Endpoints of notices. Contract 5 §3.
import { route } from '../../http/route.ts'
import { NoticePageShape, NoticeSettingsShape, ReadInput, UnreadShape } from './collaboration-shapes.ts'
import { NoticesQuery, NoticeSettingsInput } from '../rules/notice.ts'
import { pageReply } from './comment-routes.ts'

export const noticeRoutes = [
  route({
    id: 'notices.list',
    endpoint: 'GET /api/v1/notices',
    summary: 'List your notices, newest first',
    description: 'Notices are kept for 90 days, and 1,000 for each person. API keys have none.',
    access: 'authenticated',
    query: NoticesQuery,
    responses: { 200: NoticePageShape },
    headers: ['X-Next-Cursor'],
    handler: async ({ caller, query, services }) => pageReply(await services.notices.list(caller, query)),
  }),
  route({
    id: 'notices.count',
    endpoint: 'GET /api/v1/notices/count',
    summary: 'Count your unread notices',
    access: 'authenticated',
    responses: { 200: UnreadShape },
    handler: ({ caller, services }) => services.notices.count(caller),
  }),
  route({
    id: 'notices.read',
    endpoint: 'POST /api/v1/notices/read',
    summary: 'Mark notices as read: some, or all',
    access: 'authenticated',
    body: ReadInput,
    responses: { 200: UnreadShape },
    handler: ({ caller, body, services }) => services.notices.read(caller, body.ids),
  }),
  route({
    id: 'notices.getSettings',
    endpoint: 'GET /api/v1/notices/settings',
    summary: 'Read what you have chosen of notices and the daily summary',
    access: 'authenticated',
    responses: { 200: NoticeSettingsShape },
    handler: ({ caller, services }) => services.notices.getSettings(caller),
  }),
  route({
    id: 'notices.setSettings',
    endpoint: 'PUT /api/v1/notices/settings',
    summary: 'Switch kinds of notices and the daily summary off and on',
    description: 'Members that are left out stay as they are. A daily summary needs an `email`.',
    access: 'authenticated',
    body: NoticeSettingsInput,
    responses: { 200: NoticeSettingsShape },
    errors: ['PERMISSION_DENIED'],
    handler: ({ caller, body, services }) => services.notices.setSettings(caller, body),
  }),
]
