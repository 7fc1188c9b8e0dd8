// The caller's own account. Contract 2 §2.
import * as v from 'valibot'
import { Password } from '../../../domain/accounts/accounts.ts'
import { PERMISSIONS } from '../../../domain/accounts/permissions.ts'
import { route } from '../../route.ts'
import { Session } from './auth.ts'

export const Me = v.object({
  id: v.string(),
  kind: v.picklist(['user', 'apiKey']),
  name: v.string(),
  roleId: v.string(),
  permissions: v.array(v.picklist(PERMISSIONS)),
})

export const PasswordChange = v.object({
  currentPassword: v.pipe(v.string('must be a string'), v.maxLength(1000, 'must be at most 1000 characters long')),
  newPassword: Password,
})

export const meRoutes = [
  route({
    id: 'me.get',
    method: 'GET',
    path: '/api/v1/me',
    summary: 'Who the credential belongs to, and what it permits',
    access: 'authenticated',
    responses: { 200: Me },
    handler: ({ caller, services }) => services.users.describeCaller(caller),
  }),
  route({
    id: 'me.changePassword',
    method: 'PUT',
    path: '/api/v1/me/password',
    summary: 'Change the own password; all tokens of the user end, and the answer has a new one',
    access: 'authenticated',
    body: PasswordChange,
    responses: { 200: Session },
    errors: ['PERMISSION_DENIED', 'RATE_LIMITED'],
    handler: ({ caller, body, request, services }) => services.users.changeOwnPassword(caller, body, request.address),
  }),
]
