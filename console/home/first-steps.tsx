// An empty workspace: the first, second and third step.
import { LinkButton } from '../kit/button.tsx'
import { Icon } from '../kit/icon.tsx'
import { useConsole } from '../state/context.ts'
import { t } from '../words/words.ts'
import { writeAddress } from '../state/addresses.ts'

export function FirstSteps({
  hasDimension,
  hasSchema,
}: {
  readonly hasDimension: boolean
  readonly hasSchema: boolean
}) {
  const { model } = useConsole()
  const mayModel = model.may('model.write')
  const steps = [
    {
      text: t('home.beginDimension'),
      isDone: hasDimension,
      isOpen: mayModel,
      action: (
        <LinkButton href={writeAddress({ place: 'dimensions', query: { new: '1' } })}>
          {t('home.addDimension')}
        </LinkButton>
      ),
    },
    {
      text: t('home.beginSchema'),
      isDone: hasSchema,
      isOpen: mayModel,
      action: (
        <LinkButton href={writeAddress({ place: 'schemas', query: { new: '1' } })}>{t('home.addSchema')}</LinkButton>
      ),
    },
    {
      text: t('home.beginRecord'),
      isDone: false,
      isOpen: hasSchema && model.may('records.create'),
      action: <LinkButton href={writeAddress({ place: 'records', query: { new: '1' } })}>{t('addRecord')}</LinkButton>,
    },
  ]
  return (
    <section class="first-steps">
      <h2>{t('home.begin')}</h2>
      <p>{t('home.beginHelp')}</p>
      <ol>
        {steps.map(({ text, isDone, isOpen, action }) => (
          <li key={text} class={isDone ? 'done' : undefined}>
            <span class="grow">{text}</span>
            {isDone ? (
              <span class="good">
                <Icon name="check" /> {t('home.done')}
              </span>
            ) : (
              isOpen && action
            )}
          </li>
        ))}
      </ol>
    </section>
  )
}
