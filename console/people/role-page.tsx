// One role: its permissions, and its access to each attribute. Nobody can grant more than they have.
// Contract 2 §2, 3 §9.6.
import { useState } from 'preact/hooks'
import { ADMIN_ROLE_ID, isBuiltInRole, PERMISSIONS } from '../../src/core/accounts/rules/permissions.ts'
import { useActing } from '../kit/acting.ts'
import { Checkbox, TextField } from '../kit/field.tsx'
import { EditHead } from '../kit/edit-head.tsx'
import { PlaceHead } from '../kit/place-head.tsx'
import { useSaveKey } from '../kit/save-key.ts'
import { Shown } from '../kit/states.tsx'
import { useConsole, useRead } from '../state/context.ts'
import { useFormDraft } from '../state/form-draft.ts'
import { t } from '../words/place.ts'
import { AccessMatrix } from './access-matrix.tsx'
import type { StoredRole } from './role-matrix.ts'

const above = () => ({ title: t('people.roles'), place: 'roles' })

export function RolePage() {
  const { router } = useConsole()
  const [id] = useState(router.id.peek() ?? '')
  const query = useRead(`people role ${id}`, 'GET /api/v1/roles/:id', { params: { id } })
  return (
    <>
      {query.data.value === undefined && <PlaceHead title={id} above={above()} />}
      <Shown query={query}>{(role) => <RoleEditor role={role} />}</Shown>
    </>
  )
}

function RoleEditor({ role }: { readonly role: StoredRole }) {
  const { call, cache, router, status } = useConsole()
  const { isBusy, act } = useActing()
  const draft = useFormDraft<StoredRole>(`role ${role.id}`, role)
  const { value, put } = draft
  const isFixed = role.id === ADMIN_ROLE_ID
  const closedBecause = isFixed ? t('people.adminFixed') : draft.isChanged ? undefined : t('form.nothingChanged')
  const save = () =>
    act(async () => {
      await call('PUT /api/v1/roles/:id', { params: { id: role.id }, body: value })
      draft.drop()
      status.tell(t('form.saved', { name: value.name }))
      cache.refreshAll('people')
    })
  useSaveKey(() => closedBecause === undefined && void save())
  return (
    <>
      <EditHead
        title={value.name}
        above={above()}
        id={role.id}
        draft={draft}
        main={{ title: t('save'), isBusy, closedBecause, onClick: () => void save() }}
        deletion={
          isBuiltInRole(role.id)
            ? undefined
            : {
                name: role.name,
                remove: () => call('DELETE /api/v1/roles/:id', { params: { id: role.id } }),
                onDone: () => {
                  cache.refreshAll('people roles')
                  router.go({ place: 'roles' })
                },
              }
        }
      />
      {isFixed ? (
        <p class="page">{t('people.adminHelp')}</p>
      ) : (
        <div class="page sections">
          <section class="narrow">
            <TextField
              label={t('name')}
              value={value.name}
              hasFocus={role.name === t('people.newRole')}
              onInput={(name) => put({ name })}
            />
            <Permissions value={value} put={put} />
          </section>
          <AccessMatrix role={value} put={put} />
        </div>
      )}
    </>
  )
}

interface RolePartProps {
  readonly value: StoredRole
  readonly put: (changes: Partial<StoredRole>) => void
}

/** Users cannot grant permissions that they lack. */
function Permissions({ value, put }: RolePartProps) {
  const { model } = useConsole()
  return (
    <>
      <h2>{t('people.permissions')}</h2>
      <div class="permissions">
        {PERMISSIONS.filter((one) => model.may(one) || value.permissions.includes(one)).map((permission) => (
          <Checkbox
            key={permission}
            label={<code>{permission}</code>}
            hint={t(`people.may.${permission}`)}
            isChecked={value.permissions.includes(permission)}
            onChange={(isOn) =>
              put({
                permissions: PERMISSIONS.filter((one) => (one === permission ? isOn : value.permissions.includes(one))),
              })
            }
          />
        ))}
      </div>
    </>
  )
}
