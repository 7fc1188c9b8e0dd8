// The document around the records of an xml: names of elements, namespaces, and elements before the records. Contract 3 §11.
import { PairsField } from '../fields/pairs-field.tsx'
import { Checkbox, TextField } from '../kit/field.tsx'
import { hinted } from '../words/place.ts'
import type { JobDraft, PartProps } from './job-draft.ts'

const PLAIN: NonNullable<JobDraft['xml']> = {
  root: 'records',
  item: 'record',
  namespaces: {},
  attributes: {},
  before: [],
}

export function XmlFields({ draft, put }: PartProps) {
  const { xml } = draft
  return (
    <>
      <Checkbox
        {...hinted('exports.ownXml')}
        isChecked={xml !== null}
        onChange={(isOn) => put({ xml: isOn ? PLAIN : null })}
      />
      {xml !== null && (
        <>
          <div class="row">
            <TextField
              {...hinted('exports.xmlRoot')}
              value={xml.root}
              onInput={(root) => put({ xml: { ...xml, root } })}
            />
            <TextField
              {...hinted('exports.xmlItem')}
              value={xml.item}
              onInput={(item) => put({ xml: { ...xml, item } })}
            />
          </div>
          <PairsField
            {...hinted('exports.xmlNamespaces')}
            example={['g', 'urn:example']}
            pairs={xml.namespaces ?? {}}
            onChange={(namespaces) => put({ xml: { ...xml, namespaces } })}
          />
          <PairsField
            {...hinted('exports.xmlAttributes')}
            example={['version', '2.0']}
            pairs={xml.attributes ?? {}}
            onChange={(attributes) => put({ xml: { ...xml, attributes } })}
          />
          <PairsField
            {...hinted('exports.xmlBefore')}
            example={['title', 'Shop']}
            pairs={Object.fromEntries((xml.before ?? []).map(({ element, text }) => [element, text]))}
            onChange={(pairs) =>
              put({ xml: { ...xml, before: Object.entries(pairs).map(([element, text]) => ({ element, text })) } })
            }
          />
        </>
      )}
    </>
  )
}
