// Names of languages, for the segments of a dimension. Contract 5 §1.

/** The name of a language in itself. */
export function nameOfLanguage(code: string): string | undefined {
  try {
    const name = new Intl.DisplayNames([code], { type: 'language', fallback: 'none' }).of(code)
    return name && `${name[0]!.toLocaleUpperCase(code)}${name.slice(1)}`
  } catch {
    return undefined
  }
}
