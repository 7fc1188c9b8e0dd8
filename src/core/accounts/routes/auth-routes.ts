// Endpoints of signing in. Contract 1 §5, 2 §2.
import * as v from 'valibot'
import { route } from '../../../http/route.ts'
import { Session } from '../rules/account.ts'

const Username = v.pipe(v.string('must be a string'), v.maxLength(200, 'must be at most 200 characters long'))
const Secret = v.pipe(v.string('must be a string'), v.maxLength(1000, 'must be at most 1000 characters long'))

/** Bytes that strangers may send. */
const MAX_PUBLIC_BODY = 16 * 1024

export const Login = v.object({ username: Username, password: Secret })

export const authRoutes = [
  route({
    id: 'auth.login',
    endpoint: 'POST /api/v1/auth/login',
    summary: 'Get an access token for a username and password',
    description:
      'The token expires after 24 hours. After 10 failures of a username from one address within 15 minutes, the answer is 429 with the time to wait. Sign-ins from other addresses still work. A username that fails from many addresses is slowed by up to 5 seconds.',
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
    endpoint: 'POST /api/v1/auth/refresh',
    summary: 'Exchange a valid access token for a new one',
    description: 'The old token stays valid until it expires.',
    needsToken: true,
    access: 'public',
    responses: { 200: Session },
    errors: ['UNAUTHORIZED'],
    handler: ({ request, services }) => services.authentication.refresh(request.bearerToken),
  }),
  route({
    id: 'auth.logout',
    endpoint: 'POST /api/v1/auth/logout',
    summary: 'Revoke the token of this request immediately',
    description:
      'Other tokens of the user stay valid. If a user ends more than 100 tokens in 24 hours, the last one ends all others too.',
    needsToken: true,
    access: 'public',
    responses: { 204: null },
    errors: ['UNAUTHORIZED'],
    handler: ({ request, services }) => services.authentication.logout(request.bearerToken),
  }),
]
