// The field of a new password, which says while somebody types that the password is too short.
import { countCharacters } from '../../src/kernel/text.ts'
import { t } from '../words/place.ts'
import { TextField, type TextFieldProps } from './field.tsx'

const MIN_LENGTH = 8

/** Undefined: nothing is typed, or it is long enough. */
export function passwordFault(typed: string): string | undefined {
  return typed !== '' && countCharacters(typed) < MIN_LENGTH ? t('account.short', { count: MIN_LENGTH }) : undefined
}

export function NewPassword(props: Omit<TextFieldProps, 'type' | 'error'>) {
  return <TextField {...props} type="password" error={passwordFault(props.value)} />
}
