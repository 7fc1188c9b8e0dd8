// A read-only value, without an input (R8). A safe URL becomes a link.
import type { Attribute } from '../../src/core/model/rules/attributes.ts'
import { showValue, writeValue } from '../fields/fields.ts'
import { fieldOf } from '../fields/fields.ts'
import type { Locale } from '../fields/field.ts'
import { writeAddress } from '../state/addresses.ts'
import { useConsole } from '../state/context.ts'
import { pictureSchemaOf } from '../state/pictures.ts'
import { t } from '../words/place.ts'
import { FileText, isFile } from './file-text.tsx'
import { Pictures } from './pictures-field.tsx'

export function ValueText({
  attribute,
  value,
  locale,
}: {
  readonly attribute: Attribute
  readonly value: unknown
  readonly locale: Locale
}) {
  const { model } = useConsole()
  if (value === undefined || value === null) return <span class="quiet">{t('noValue')}</span>
  if (attribute.dataType === 'file' && isFile(value)) return <FileText value={value} locale={locale} />
  const isLong = fieldOf(attribute).editor === 'lines'
  const text = isLong ? writeValue(value, attribute, locale) : showValue(value, attribute, locale)
  if (attribute.dataType === 'references' && Array.isArray(value)) {
    const links = <RecordLinks ids={value as string[]} />
    const pictures = pictureSchemaOf(model, attribute)
    if (pictures === undefined) return links
    return (
      <Pictures attribute={attribute} pictures={pictures} value={value}>
        {links}
      </Pictures>
    )
  }
  const href = linkOf(attribute, value)
  if (href === undefined) return <>{text}</>
  return (
    <a href={href} {...outside(attribute)}>
      {text}
    </a>
  )
}

function RecordLinks({ ids }: { readonly ids: readonly string[] }) {
  return (
    <>
      {ids.map((id, at) => (
        <>
          {at > 0 && ', '}
          <a href={writeAddress({ place: 'records', id })}>{id}</a>
        </>
      ))}
    </>
  )
}

/** Opens the address, or the referred record, of a value in an input. */
export function OpenLink({ attribute, value }: { readonly attribute: Attribute; readonly value: unknown }) {
  const { model } = useConsole()
  const href = linkOf(attribute, value)
  if (href === undefined) return null
  return (
    <a href={href} {...outside(attribute)} aria-label={`${t('open')}: ${model.nameOf(attribute)}`}>
      {t('open')}
    </a>
  )
}

function outside({ dataType }: Attribute) {
  return dataType === 'url' ? { target: '_blank', rel: 'noreferrer noopener' } : {}
}

/** Undefined for anything but a web address: for example `javascript:`. */
function linkOf({ dataType }: Pick<Attribute, 'dataType'>, value: unknown): string | undefined {
  if (typeof value !== 'string') return undefined
  if (dataType === 'reference') return writeAddress({ place: 'records', id: value })
  if (dataType !== 'url' || !/^https?:\/\//i.test(value)) return undefined
  return URL.canParse(value) ? value : undefined
}
