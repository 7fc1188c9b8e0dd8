// The attributes of a schema: a list in their order, and the form of the chosen attribute beside it.
import { useState } from 'preact/hooks'
import { DATA_TYPE_NAMES, type DataTypeName } from '../../src/core/datatypes/data-types.ts'
import { Button } from '../kit/button.tsx'
import { fold } from '../state/fold.ts'
import { TextField } from '../kit/field.tsx'
import { SelectField } from '../kit/select-field.tsx'
import { Form } from '../kit/form.tsx'
import { writeAddress } from '../state/addresses.ts'
import { useConsole } from '../state/context.ts'
import { hinted, t } from '../words/place.ts'
import { AttributeForm } from './attribute-form.tsx'
import { moved, newAttribute, type SchemaDraft, type SchemaPartProps } from './definition.ts'

export function Attributes({ stored, draft, mayWrite }: SchemaPartProps) {
  const { router } = useConsole()
  const { attributes } = draft.value
  const chosen = router.query.value['at'] ?? attributes[0]?.alias
  const index = attributes.findIndex(({ alias }) => alias === chosen)
  const attribute = attributes[index]
  const isStored = stored.attributes.some(({ alias }) => alias === chosen)
  return (
    <div class="page split">
      <div>
        <AttributeList schema={draft.value} chosen={chosen} />
        {mayWrite && (
          <AddAttribute
            taken={attributes.map(({ alias }) => alias)}
            onAdd={(alias, dataType) => {
              draft.put({ attributes: [...attributes, newAttribute(alias, dataType)] })
              router.setQuery({ at: alias })
            }}
          />
        )}
      </div>
      {attribute !== undefined && (
        <div>
          {mayWrite && (
            <div class="row end">
              <Button
                icon="arrowUp"
                label={t('form.up', { name: attribute.name })}
                closedBecause={index === 0 ? t('form.first') : undefined}
                onClick={() => draft.put({ attributes: moved(attributes, index, -1) })}
              />
              <Button
                icon="arrowDown"
                label={t('form.down', { name: attribute.name })}
                closedBecause={index === attributes.length - 1 ? t('form.last') : undefined}
                onClick={() => draft.put({ attributes: moved(attributes, index, 1) })}
              />
            </div>
          )}
          <AttributeForm
            key={attribute.alias}
            attribute={attribute}
            isStored={isStored}
            draft={draft}
            mayWrite={mayWrite}
          />
        </div>
      )}
    </div>
  )
}

function AttributeList({ schema, chosen }: { readonly schema: SchemaDraft; readonly chosen: string | undefined }) {
  const { model } = useConsole()
  const [text, setText] = useState('')
  const words = fold(text.trim()).split(/\s+/)
  const found = schema.attributes.filter((one) => {
    const name = fold(`${model.nameOf(one)} ${one.alias}`)
    return words.every((word) => name.includes(word))
  })
  return (
    <>
      {schema.attributes.length > FIND_FROM && (
        <TextField label={t('model.findAttribute')} type="search" value={text} onInput={setText} />
      )}
      <ul class="lines attribute-list">
        {found.map((one) => (
          <li key={one.alias} class={one.alias === chosen ? 'chosen' : undefined}>
            <a
              href={writeAddress({ place: 'schemas', id: schema.id, query: { at: one.alias } })}
              aria-current={one.alias === chosen ? 'true' : undefined}
              dir="auto"
            >
              {model.nameOf(one)}
            </a>
            <code class="quiet">{one.alias}</code>
            <span class="quiet">{t(`type.${one.dataType}`)}</span>
          </li>
        ))}
      </ul>
      {found.length === 0 && text !== '' && <p role="status">{t('record.noFieldFound', { text })}</p>}
    </>
  )
}

/** The number of attributes from which the list offers a search; a shorter list needs none. */
const FIND_FROM = 20

function AddAttribute(props: {
  readonly taken: readonly string[]
  readonly onAdd: (alias: string, dataType: DataTypeName) => void
}) {
  const [alias, setAlias] = useState('')
  const [dataType, setDataType] = useState<DataTypeName>('text')
  const isTaken = props.taken.includes(alias)
  const isReady = ALIAS.test(alias) && !isTaken
  const add = () => {
    props.onAdd(alias, dataType)
    setAlias('')
  }
  return (
    <Form class="named-add" onSubmit={add}>
      <TextField
        {...hinted('model.newAlias')}
        value={alias}
        error={isTaken ? t('form.taken') : undefined}
        onInput={setAlias}
      />
      <SelectField
        {...hinted('model.dataType')}
        value={dataType}
        choices={DATA_TYPE_NAMES.map((id) => ({ id, name: t(`type.${id}`) }))}
        onChange={(id) => setDataType(id as DataTypeName)}
      />
      <Button type="submit" icon="add" closedBecause={isReady ? undefined : t('model.aliasFirst')}>
        {t('add')}
      </Button>
    </Form>
  )
}

/** The rule of the server, which refuses other aliases. */
const ALIAS = /^[A-Za-z][A-Za-z0-9_-]{0,63}$/
