// The one function that blots secrets out of log lines and of error texts that are stored or sent. Contract 2 §6.

const BLOT = '***'

/**
 * Characters. Shorter secrets are replaced only where they stand alone: replaced within words, too, they would make a text
 * unreadable, and the gaps would give them away.
 */
const SHORT = 4

/** Secrets that their context reveals. Every expression is linear in the text: no class matches the character after it. */
const PATTERNS: readonly (readonly [RegExp, string])[] = [
  [
    /((?:authorization|x-service-apikey)["']?\s{0,8}[:=,](?!\s{0,8}\*\*\*)\s{0,8})(?:"[^"\r\n]*"|'[^'\r\n]*'|[^"'\r\n]+)/gi,
    `$1${BLOT}`,
  ],
  [/\b((?:sig|X-Amz-Signature|X-Amz-Security-Token|AccountKey|SharedAccessSignature)=)[^&;\s"'<>]+/gi, `$1${BLOT}`],
  [/:\/\/[^\s/?#:"'<>]*:[^\s/?#"'<>]*@/g, `://${BLOT}@`],
  [/-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY-----(?:[^-]|-(?!----))*(?:-----END [A-Z0-9 ]{0,40}PRIVATE KEY-----)?/g, BLOT],
]

/** A function that replaces every known secret, in its usual encodings, and everything that looks like a credential. */
export function createRedactor(secrets: readonly string[]): (text: string) => string {
  const forms = [...new Set(secrets.filter((secret) => secret.trim() !== '').flatMap(formsOf))]
  // Longest first, so that nothing is left of a secret that contains another one.
  forms.sort((a, b) => b.length - a.length)
  const known = forms.length > 0 ? new RegExp(forms.map(toPattern).join('|'), 'g') : undefined
  return (text) => {
    const blotted = known ? text.replace(known, BLOT) : text
    return PATTERNS.reduce((rest, [pattern, replacement]) => rest.replace(pattern, replacement), blotted)
  }
}

function formsOf(secret: string): string[] {
  const bytes = Buffer.from(secret)
  const encoded = encodeURIComponent(secret.toWellFormed())
  const base64 = bytes.toString('base64')
  return [
    secret,
    secret.trim(),
    encoded,
    encoded.replace(/%[0-9A-F]{2}/g, (escape) => escape.toLowerCase()),
    encoded.replaceAll('%20', '+'),
    base64,
    base64.replace(/=+$/, ''),
    encodeURIComponent(base64),
    bytes.toString('base64url'),
    JSON.stringify(secret).slice(1, -1),
    ...linesOf(secret),
  ]
}

/** A private key is often quoted line by line. */
function linesOf(secret: string): string[] {
  if (!secret.includes('\n')) return []
  return secret.split(/\r?\n/).filter((line) => line.length >= 16 && !line.startsWith('-----'))
}

function toPattern(form: string): string {
  const literal = form.replace(/[\\^$.*+?()[\]{}|/-]/g, String.raw`\$&`)
  return form.length < SHORT ? `(?<![A-Za-z0-9])${literal}(?![A-Za-z0-9])` : literal
}
