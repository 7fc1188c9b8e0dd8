// Compares names without regard to case and spacing. Contract 3 §4.
import { normalForm } from '../../kernel/text.ts'

/** Without spaces around, and with single spaces inside. */
export function oneLine(name: string): string {
  return name.trim().replaceAll(/\s+/g, ' ')
}

export function foldName(name: string): string {
  return oneLine(normalForm(name, 'NFC')).toLowerCase()
}
