// The choice of one of the console's languages. Each language is a folder beside this file, and nothing else names the
// language: the build finds the folders, and writes them into the page. `ahead.ts` imports this file too, so it must
// import nothing else.

/** A tag such as `en`: the name of a folder. */
export type Language = string

/** The language of the server's messages. Its words define the type that all languages must have. */
export const ENGLISH = 'en'

/** Each language has two files of words: the words of the first screen, and the words of the places behind it. */
export const PARTS = ['start', 'places'] as const
export type Part = (typeof PARTS)[number]

/** The names of the page's elements, one for each language; the rest of a name is the tag. */
export const WORDS = 'words-'
/** The name of the link to the code that all places but the start share. */
export const SHARED_FILE = 'shared'

/** Returns the languages whose words the page has. @param page its document */
export function spokenBy(page: { querySelectorAll(selector: string): Iterable<object> }): readonly Language[] {
  const elements = [...page.querySelectorAll(`meta[name^=${WORDS}]`)] as { readonly name: string }[]
  return elements.map(({ name }) => name.slice(WORDS.length))
}

/**
 * Returns the user's choice if the console has this language. Otherwise, returns the first of the browser's languages
 * that the console has.
 */
export function languageOf(spoken: readonly Language[], chosen: unknown, preferred: readonly string[]): Language {
  const tags: unknown[] = [chosen, ...preferred.map((tag) => tag.split('-')[0])]
  const found = tags.find((tag) => spoken.some((one) => one === tag))
  return typeof found === 'string' ? found : ENGLISH
}

/** The name of a language in itself: `Français`. */
export function ownName(tag: Language): string {
  const name = new Intl.DisplayNames(tag, { type: 'language' }).of(tag) ?? tag
  return name.charAt(0).toLocaleUpperCase(tag) + name.slice(1)
}

/** One text, or one for each plural form of `count` that the language has. */
export type Word = string | Readonly<Partial<Record<Intl.LDMLPluralRule, string>> & { readonly other: string }>
export type Words = Readonly<Record<string, Word>>
