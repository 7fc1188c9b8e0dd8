// Languages to choose from, by their names in the language of the console.
import type { Option } from '../kit/choices.ts'

export const LANGUAGE_TAGS =
  'en,de,fr,es,it,nl,pl,pt,pt-BR,sv,da,nb,fi,cs,sk,hu,ro,bg,el,tr,ru,uk,ja,zh,ko,ar,he,hr,sl,et,lv,lt'.split(',')

export function languageOptions(spoken: string): Option[] {
  const names = new Intl.DisplayNames([spoken], { type: 'language' })
  return LANGUAGE_TAGS.map((id) => ({ id, name: names.of(id) ?? id, detail: id }))
}
