// Presents a messenger as a destination: the message is a file of JSON. So one engine loads, checks, limits and
// calls both kinds of plugins. Contract 5 §7.
import { Readable } from 'node:stream'
import { json } from 'node:stream/consumers'
import { createHash } from 'node:crypto'
import type { Destination, ExportFile } from '../../kernel/destination.ts'
import type { Message, Messenger } from '../../kernel/messenger.ts'

/** A destination, or a messenger in its form. */
export interface Plugin extends Destination {
  readonly isMessenger?: true
}

export function isMessenger(value: object): value is Messenger {
  return 'send' in value && typeof value.send === 'function' && !('deliver' in value)
}

export function asPlugin({ type, title, config, keys, secrets, ...messenger }: Messenger): Plugin {
  return {
    type,
    config,
    isMessenger: true,
    ...(title === undefined ? {} : { title }),
    ...(keys === undefined ? {} : { keys }),
    ...(secrets === undefined ? {} : { secrets }),
    ...(messenger.place === undefined ? {} : { place: (settings: unknown) => messenger.place!(settings) }),
    async deliver(file, settings, context) {
      const message = (await json(file.open())) as Message
      await messenger.send(message, settings, context)
      return { destinationPath: message.to.address }
    },
  }
}

export function fileOf(message: Message): ExportFile {
  const bytes = Buffer.from(JSON.stringify(message))
  return {
    name: 'message.json',
    path: '',
    isStreamed: true,
    size: bytes.length,
    sha256: createHash('sha256').update(bytes).digest('hex'),
    contentType: 'application/json',
    open: () => Readable.from([bytes], { objectMode: false }),
  }
}
