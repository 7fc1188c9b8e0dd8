// Names and examples of the shapes of users, API keys and roles.
import { UserInput, UserUpdate, ApiKey, ApiKeyInput, UserShape, Session } from '../rules/account.ts'
import { Preferences } from '../rules/preferences.ts'
import { RoleInput } from '../rules/permissions.ts'
import { NewApiKey } from './api-key-routes.ts'
import { Login } from './auth-routes.ts'
import { Me, PasswordChange, Person } from './me-routes.ts'
import { Role } from './role-routes.ts'
import { component, type Components } from '../../../http/openapi/component.ts'
import { EXAMPLE_IDS } from '../../../http/openapi/example-ids.ts'

const user = { id: EXAMPLE_IDS.user, username: 'ines', name: 'Ines Ferreira', roleId: 'role-editor' }
const apiKey = {
  id: EXAMPLE_IDS.apiKey,
  name: 'Web shop',
  roleId: 'role-viewer',
  expiresAt: '2027-01-01T00:00:00.000Z',
  createdAt: '2026-03-01T08:00:00.000Z',
}
const translator = {
  id: 'role-translator',
  name: 'Translator',
  permissions: ['records.read' as const, 'records.update' as const, 'model.read' as const],
  defaultAttributePermission: 'read' as const,
  attributePermissions: { 'sch-shirt': { name: 'write' as const, price: 'none' as const } },
}

export const accountComponents: Components = {
  Login: component(Login, { username: 'ines', password: 'correct horse battery' }),
  Session: component(Session, {
    accessToken:
      'eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJnZW4iOjAsImp0aSI6Ild4S0l2YmhzenpQTUFWamEiLCJpc3MiOiJwaW1sZXQiLCJzdWIiO' +
      'iJ1c3ItMDFram02am0wMDdlN3hjdDhkZjh0ejFxY2QiLCJpYXQiOjE3NzI0Mzg0MDAsImV4cCI6MTc3MjUyNDgwMH0.OnkXgFkpaQHrwy7c1Wfz8LgWVMAIlroFlELQfcYH1yY',
    tokenType: 'Bearer',
    expiresAt: '2026-03-03T08:00:00.000Z',
    user,
  }),
  Caller: component(Me, {
    id: EXAMPLE_IDS.user,
    kind: 'user',
    name: 'Ines Ferreira',
    roleId: 'role-viewer',
    permissions: ['records.read', 'audit.read', 'model.read'],
    defaultAttributePermission: 'read',
    attributePermissions: { 'sch-shirt': { price: 'none' } },
    workspace: { name: 'Shirts', maxRecords: 500 },
  }),
  Person: component(Person, { id: EXAMPLE_IDS.user, kind: 'user', name: 'Ines Ferreira' }),
  Preferences: component(Preferences, { language: 'de', columns: ['name', 'price'] }),
  PasswordChange: component(PasswordChange, {
    currentPassword: 'correct horse battery',
    newPassword: 'staple battery horse',
  }),
  User: component(UserShape, { ...user, disabled: false, createdAt: '2026-03-01T08:00:00.000Z' }),
  UserInput: component(UserInput, {
    username: 'ines',
    name: 'Ines Ferreira',
    roleId: 'role-editor',
    password: 'correct horse battery',
  }),
  UserUpdate: component(UserUpdate, { disabled: true }),
  ApiKey: component(ApiKey, { ...apiKey, lastUsedAt: '2026-03-02T09:00:00.000Z' }),
  ApiKeyInput: component(ApiKeyInput, {
    name: 'Web shop',
    roleId: 'role-viewer',
    expiresAt: '2027-01-01T00:00:00.000Z',
  }),
  NewApiKey: component(NewApiKey, { ...apiKey, key: 'pim_UNhY4JhezH9gQYqvDMWrWH9CwlcKiECVqejMrND2VFw' }),
  Role: component(Role, translator),
  RoleInput: component(RoleInput, translator),
}
