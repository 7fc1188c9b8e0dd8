// `?`: leads to the section of the guide that explains this place or dialog, in a new tab.
import { useConsole } from '../state/context.ts'
import { type Guide, guideOf } from '../state/guides.ts'
import { PREFIX } from '../state/prefix.ts'
import { t } from '../words/words.ts'

/** @param guide Undefined: the section of the present place. */
export function HelpLink({ guide }: { readonly guide?: Guide | undefined }) {
  const { place, id } = useConsole().router.address.value
  const title = t('help.here')
  return (
    <a
      class="button quiet help-link"
      href={`${PREFIX}/docs/guides/${guide ?? guideOf(place, id)}`}
      target="_blank"
      rel="noreferrer"
      aria-label={title}
      title={title}
    >
      ?
    </a>
  )
}
