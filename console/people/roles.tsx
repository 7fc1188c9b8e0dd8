// All roles, and a new one. Contract 2 §2.
import { isBuiltInRole } from '../../src/core/accounts/rules/permissions.ts'
import { useActing } from '../kit/acting.ts'
import { Button } from '../kit/button.tsx'
import { PlaceHead } from '../kit/place-head.tsx'
import { Shown } from '../kit/states.tsx'
import { writeAddress } from '../state/addresses.ts'
import { useConsole, useRead } from '../state/context.ts'
import { t } from '../words/place.ts'
import { PeopleNav } from './people-nav.tsx'
import { countOwn } from './role-matrix.ts'

export function Roles() {
  const { call, cache, router } = useConsole()
  const { isBusy, act } = useActing()
  const query = useRead('people roles', 'GET /api/v1/roles')
  const add = () =>
    act(async () => {
      const body = {
        name: t('people.newRole'),
        permissions: ['records.read'] as const,
        defaultAttributePermission: 'read' as const,
      }
      const answer = await call('POST /api/v1/roles', { body })
      cache.refreshAll('people')
      router.go({ place: 'roles', id: answer.body.id })
    })
  return (
    <>
      <PlaceHead
        title={t('people.roles')}
        actions={
          <Button kind="main" icon="add" isBusy={isBusy} onClick={add}>
            {t('people.addRole')}
          </Button>
        }
      >
        <PeopleNav />
      </PlaceHead>
      <Shown query={query}>
        {(roles) => (
          <ul class="job-ledger model-ledger">
            {roles.map((role) => (
              <li key={role.id} class="job-line">
                <a class="strong" href={writeAddress({ place: 'roles', id: role.id })} dir="auto">
                  {role.name}
                </a>
                <code class="quiet">{role.id}</code>
                <span>{t('people.permissionCount', { count: role.permissions.length })}</span>
                <span class="quiet">
                  {isBuiltInRole(role.id)
                    ? t('people.builtIn')
                    : t('people.ownCount', { count: countOwn(role.attributePermissions) })}
                </span>
              </li>
            ))}
          </ul>
        )}
      </Shown>
    </>
  )
}
