// Contract 1 §5, 2 §2.
import * as v from 'valibot'
import { route } from '../../../http/route.ts'
import { Timestamp } from '../../../http/common-shapes.ts'

const Username = v.pipe(v.string('must be a string'), v.maxLength(200, 'must be at most 200 characters long'))
const Secret = v.pipe(v.string('must be a string'), v.maxLength(1000, 'must be at most 1000 characters long'))

/** Bytes that strangers may send. */
const MAX_PUBLIC_BODY = 16 * 1024

export const Session = v.object({
  accessToken: v.string(),
  tokenType: v.literal('Bearer'),
  expiresAt: Timestamp,
  user: v.object({ id: v.string(), username: v.string(), name: v.string(), roleId: v.string() }),
})

export const Login = v.object({ username: Username, password: Secret })

export const authRoutes = [
  route({
    id: 'auth.login',
    method: 'POST',
    path: '/api/v1/auth/login',
    summary: 'Get an access token for a username and password',
    description:
      'It expires after 24 hours. After 10 failures of a username from an address within 15 minutes, 429 says how long to wait; from other addresses it still works. A username that fails from many addresses is slowed, by up to 5 seconds.',
    access: 'public',
    body: Login,
    maxBody: MAX_PUBLIC_BODY,
    responses: { 200: Session },
    errors: ['UNAUTHORIZED', 'RATE_LIMITED'],
    handler: ({ body, request, services }) =>
      services.authentication.login(body.username, body.password, request.address, request.signal),
  }),
  route({
    id: 'auth.refresh',
    method: 'POST',
    path: '/api/v1/auth/refresh',
    summary: 'Get a new access token for one that has not expired',
    description: 'The old one stays valid until its own expiry.',
    needsToken: true,
    access: 'public',
    responses: { 200: Session },
    errors: ['UNAUTHORIZED'],
    handler: ({ request, services }) => services.authentication.refresh(request.bearerToken),
  }),
  route({
    id: 'auth.logout',
    method: 'POST',
    path: '/api/v1/auth/logout',
    summary: 'End the token that the request carries, at once',
    description:
      'Other tokens of the user live on. Of more than 100 tokens that a user ends in 24 hours the last ends all others, too.',
    needsToken: true,
    access: 'public',
    responses: { 204: null },
    errors: ['UNAUTHORIZED'],
    handler: ({ request, services }) => services.authentication.logout(request.bearerToken),
  }),
]
