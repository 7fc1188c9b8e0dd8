// The caller's own account. Contract 2 §2.
import { Password } from '../../../kernel/input/validation.ts'
import * as v from 'valibot'
import { ATTRIBUTE_ACCESS, AttributePermissions, PERMISSIONS } from '../rules/permissions.ts'
import { MAX_PREFERENCES, Preferences } from '../rules/preferences.ts'
import { route } from '../../../http/route.ts'
import { Session } from '../rules/account.ts'

export const Me = v.object({
  id: v.string(),
  kind: v.picklist(['user', 'apiKey']),
  name: v.string(),
  roleId: v.string(),
  permissions: v.array(v.picklist(PERMISSIONS)),
  defaultAttributePermission: v.picklist(ATTRIBUTE_ACCESS),
  attributePermissions: AttributePermissions,
  workspace: v.object({
    name: v.string(),
    maxRecords: v.pipe(v.nullable(v.number()), v.description('The maximum number of records; null: unlimited.')),
  }),
})

export const Person = v.object({ id: v.string(), kind: v.picklist(['user', 'apiKey']), name: v.string() })

export const PasswordChange = v.object({
  currentPassword: v.pipe(v.string('must be a string'), v.maxLength(1000, 'must be at most 1000 characters long')),
  newPassword: Password,
})

export const meRoutes = [
  route({
    id: 'me.get',
    endpoint: 'GET /api/v1/me',
    summary: 'Who the credential belongs to, and what it permits',
    access: 'authenticated',
    responses: { 200: Me },
    handler: ({ caller, services }) => services.people.describeCaller(caller),
  }),
  route({
    id: 'me.changePassword',
    endpoint: 'PUT /api/v1/me/password',
    summary: 'Change your password. All your tokens are revoked; the response has a new one',
    access: 'authenticated',
    body: PasswordChange,
    responses: { 200: Session },
    errors: ['PERMISSION_DENIED', 'RATE_LIMITED'],
    handler: ({ caller, body, request, services }) => services.users.changeOwnPassword(caller, body, request.address),
  }),
  route({
    id: 'me.getPreferences',
    endpoint: 'GET /api/v1/me/preferences',
    summary: 'Read the preferences of the caller: one JSON object, empty at first',
    access: 'authenticated',
    responses: { 200: Preferences },
    handler: ({ caller, services }) => services.people.getPreferences(caller),
  }),
  route({
    id: 'me.setPreferences',
    endpoint: 'PUT /api/v1/me/preferences',
    summary: 'Replace the preferences of the caller: up to 64 KiB of JSON',
    description:
      'The server does not interpret the object. No other caller can read it. It is deleted with the user or API key.',
    access: 'authenticated',
    body: Preferences,
    maxBody: MAX_PREFERENCES,
    responses: { 200: Preferences },
    handler: ({ caller, body, services }) => services.people.setPreferences(caller, body),
  }),
  route({
    id: 'people.list',
    endpoint: 'GET /api/v1/people',
    summary: 'List the names of the users and API keys that changed records',
    access: 'audit.read',
    responses: { 200: v.array(Person) },
    handler: ({ caller, services }) => services.people.listPeople(caller),
  }),
]
