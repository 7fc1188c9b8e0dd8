// The secrets of a subscription: sealed where they are stored, and kept only where they still go to the same place. Contract 3 §6, 3 §9.5.
import { type FieldSecrets, SECRET_PLACEHOLDER } from '../kernel/secrets/secret-fields.ts'
import { invalid } from '../kernel/errors.ts'
import { secretOwnerOf, type Subscription } from './rules/subscription.ts'
import type { EventSender, EventTarget } from './sender.ts'
import type { SecretBox } from '../kernel/secrets/secret-box.ts'
import { own } from '../kernel/own.ts'

/** The target as a client sends it: placeholders stand for secrets to keep. */
interface SentTarget {
  readonly url: string
  readonly headers?: Readonly<Record<string, unknown>> | null | undefined
  readonly signingSecret?: string | null | undefined
}

const SIGNING = 'signingSecret'
const HEADER = 'headers.'

/**
 * The secrets to store; kept secrets come from `before`.
 * @throws VALIDATION_ERROR naming the member: a wrong value, or a placeholder without a stored secret
 * @throws VALIDATION_ERROR for a placeholder of a secret that would be sent elsewhere or less safely
 */
export function sealSecrets(
  { sender, secrets: keeper }: { readonly sender: EventSender; readonly secrets: SecretBox },
  id: string,
  sent: SentTarget,
  before: Subscription | undefined,
): FieldSecrets<string> {
  const fields = fieldsOf(sent)
  const kept = fields.filter(([, value]) => value === SECRET_PLACEHOLDER).map(([field]) => field)
  const whole = new Map(
    fields.map(([field, value]) => [field, value === SECRET_PLACEHOLDER ? openKept(keeper, before, field) : value]),
  )
  sender.check({ url: sent.url, ...membersOf(whole) })
  if (before !== undefined && kept.length > 0 && originOf(before.url) !== originOf(sent.url)) {
    const why = 'with another url the stored one would be sent elsewhere, or less safely'
    throw invalid(`${kept.join(', ')} must be sent again: ${why}`)
  }
  const sealed = [...whole].map(([field, value]): [string, string] => [
    field,
    kept.includes(field) ? own(before!.secrets, field)! : keeper.seal(secretOwnerOf(id), field, value),
  ])
  return Object.fromEntries(sealed)
}

/** @throws VALIDATION_ERROR where a secret can no longer be read */
export function openTarget(keeper: SecretBox, subscription: Subscription): EventTarget {
  const opened = Object.keys(subscription.secrets).map((field): [string, unknown] => [
    field,
    openKept(keeper, subscription, field),
  ])
  const { headers, signingSecret } = membersOf(new Map(opened))
  return {
    url: subscription.url,
    headers: headers as Record<string, string>,
    signingSecret: signingSecret as string | undefined,
  }
}

function fieldsOf({ headers, signingSecret }: SentTarget): [string, unknown][] {
  const named = Object.entries(headers ?? {}).map(([name, value]): [string, unknown] => [`${HEADER}${name}`, value])
  return signingSecret === undefined || signingSecret === null ? named : [...named, [SIGNING, signingSecret]]
}

function membersOf(fields: ReadonlyMap<string, unknown>): { headers: Record<string, unknown>; signingSecret: unknown } {
  const named = [...fields].filter(([field]) => field.startsWith(HEADER))
  return {
    headers: Object.fromEntries(named.map(([field, value]) => [field.slice(HEADER.length), value])),
    signingSecret: fields.get(SIGNING),
  }
}

function openKept(keeper: SecretBox, stored: Subscription | undefined, field: string): unknown {
  if (stored === undefined || !Object.hasOwn(stored.secrets, field))
    throw invalid(`${field} is the placeholder of a stored secret, but none is stored: send the secret`)
  try {
    return keeper.open(secretOwnerOf(stored.id), field, stored.secrets[field]!)
  } catch {
    throw invalid(`${field} is stored but can no longer be read: send the secret`)
  }
}

function originOf(url: string): string {
  return URL.parse(url)?.origin ?? ''
}
