// A schema without records: how to get the first ones.
import { LinkButton } from '../kit/button.tsx'
import { Empty } from '../kit/states.tsx'
import { writeAddress } from '../state/addresses.ts'
import { useConsole } from '../state/context.ts'
import { t } from '../words/words.ts'

export function NoRecords({ schemaId }: { readonly schemaId: string }) {
  const { model } = useConsole()
  if (!model.may('records.create')) return <Empty icon="records" title={t('home.noRecords')} />
  const add = writeAddress({ place: 'records', query: { schema: schemaId, new: '1' } })
  return (
    <Empty
      icon="records"
      title={t('home.noRecords')}
      action={
        <p class="row">
          <LinkButton kind="main" icon="add" href={add}>
            {t('addRecord')}
          </LinkButton>
          <LinkButton icon="imports" href={writeAddress({ place: 'imports' })}>
            {t('home.importFile')}
          </LinkButton>
        </p>
      }
    >
      <p>{t('home.noRecordsHelp')}</p>
    </Empty>
  )
}
