// The document around the records of an xml: names of elements, namespaces, and elements before the records. Contract 3 §11.
import { PairsField } from '../fields/pairs-field.tsx'
import { Checkbox, TextField } from '../kit/field.tsx'
import { t } from '../words/place.ts'
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
        label={t('exports.ownXml')}
        hint={t('hint.exports.ownXml')}
        isChecked={xml !== null}
        onChange={(isOn) => put({ xml: isOn ? PLAIN : null })}
      />
      {xml !== null && (
        <>
          <div class="row">
            <TextField
              label={t('exports.xmlRoot')}
              hint={t('hint.exports.xmlRoot')}
              value={xml.root}
              onInput={(root) => put({ xml: { ...xml, root } })}
            />
            <TextField
              label={t('exports.xmlItem')}
              hint={t('hint.exports.xmlItem')}
              value={xml.item}
              onInput={(item) => put({ xml: { ...xml, item } })}
            />
          </div>
          <PairsField
            label={t('exports.xmlNamespaces')}
            hint={t('hint.exports.xmlNamespaces')}
            example={['g', 'urn:example']}
            pairs={xml.namespaces ?? {}}
            onChange={(namespaces) => put({ xml: { ...xml, namespaces } })}
          />
          <PairsField
            label={t('exports.xmlAttributes')}
            hint={t('hint.exports.xmlAttributes')}
            example={['version', '2.0']}
            pairs={xml.attributes ?? {}}
            onChange={(attributes) => put({ xml: { ...xml, attributes } })}
          />
          <PairsField
            label={t('exports.xmlBefore')}
            hint={t('hint.exports.xmlBefore')}
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
