// The built-in messengers.
import type { Messenger } from '../../src/kernel/messenger.ts'
import mail from './mail.ts'
import messageHook from './webhook.ts'

export const builtInMessengers: readonly Messenger[] = [mail, messageHook]
