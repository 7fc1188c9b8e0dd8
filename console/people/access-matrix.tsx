// Attributes × none, read, write: a table for each schema. Explicit permissions of the role are dark, defaults are
// pale.
import { ATTRIBUTE_ACCESS, type AttributeAccess } from '../../src/core/accounts/rules/permissions.ts'
import { Segmented } from '../kit/chips.tsx'
import { useConsole } from '../state/context.ts'
import type { SeenSchema } from '../state/model.ts'
import { hinted, t } from '../words/place.ts'
import { accessRows, type StoredRole, withAccess } from './role-matrix.ts'

interface AccessProps {
  readonly role: StoredRole
  readonly put: (changes: Partial<StoredRole>) => void
}

export function AccessMatrix({ role, put }: AccessProps) {
  const { model } = useConsole()
  return (
    <section>
      <h2>{t('model.attributes')}</h2>
      <Segmented
        {...hinted('people.accessDefault')}
        value={role.defaultAttributePermission}
        choices={ATTRIBUTE_ACCESS.map((id) => ({ id, name: t(`access.${id}`) }))}
        onChange={(defaultAttributePermission) => put({ defaultAttributePermission })}
      />
      {model.schemas.value.map((schema) => (
        <SchemaAccess key={schema.id} schema={schema} role={role} put={put} />
      ))}
    </section>
  )
}

function SchemaAccess({ schema, role, put }: AccessProps & { readonly schema: SeenSchema }) {
  const { model } = useConsole()
  const set = (alias: string, access: AttributeAccess | undefined) =>
    put({ attributePermissions: withAccess(role.attributePermissions, schema.id, alias, access) })
  return (
    <div class="flow-room">
      <table class="flow access">
        <caption dir="auto">{model.nameOf(schema)}</caption>
        <thead>
          <tr>
            <th scope="col">{t('form.attribute')}</th>
            {ATTRIBUTE_ACCESS.map((access) => (
              <th key={access} scope="col">
                {t(`access.${access}`)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {accessRows(role, schema).map(({ alias, own, inForce }) => (
            <tr key={alias}>
              <th scope="row" dir="auto">
                {model.attributeName(schema.id, alias)}
              </th>
              {ATTRIBUTE_ACCESS.map((access) => (
                <td key={access}>
                  <button
                    type="button"
                    class={own === access ? 'own' : undefined}
                    aria-pressed={inForce === access}
                    aria-label={`${alias}: ${t(`access.${access}`)}`}
                    onClick={() => set(alias, own === access ? undefined : access)}
                  >
                    {inForce === access ? (own === access ? '●' : '○') : ''}
                  </button>
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
