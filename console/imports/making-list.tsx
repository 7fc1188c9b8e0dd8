// The options and categories that an import makes, or would make. Contract 3 §4.
import { useConsole } from '../state/context.ts'
import type { Job } from '../state/jobs.ts'
import { t } from '../words/place.ts'

export function MakingList({ job }: { readonly job: Job }) {
  const { model } = useConsole()
  const { making, dryRun } = job
  if (making === undefined || making.options.length + making.categories.length === 0) return null
  const { options, otherOptions, categories, otherCategories } = making
  const byAttribute = [...Map.groupBy(options, (option) => model.attributeName(option.schemaId, option.attributeAlias))]
  return (
    <details open>
      <summary>{dryRun ? t('imports.wouldMake') : t('imports.hasMade')}</summary>
      <dl>
        {byAttribute.map(([attribute, made]) => (
          <Made key={attribute} title={attribute} names={made.map(({ name }) => name)} />
        ))}
        {categories.length > 0 && (
          <Made title={t('imports.field.categories')} names={categories.map(({ path }) => path)} />
        )}
      </dl>
      {otherOptions + otherCategories > 0 && (
        <p class="hint">{t('imports.moreMade', { count: otherOptions + otherCategories })}</p>
      )}
    </details>
  )
}

function Made({ title, names }: { readonly title: string; readonly names: readonly string[] }) {
  return (
    <>
      <dt>{title}</dt>
      <dd dir="auto">{names.join(' · ')}</dd>
    </>
  )
}
