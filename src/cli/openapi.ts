// `pimlet openapi`: prints the OpenAPI document that a server of this version serves. Contract 2 §8.
import { Readable } from 'node:stream'
import { makeOpenApi } from '../docs-host/documentation.ts'
import type { Command } from './command.ts'
import { writeOutput } from './output-file.ts'

export const openapiCommand: Command = {
  name: 'openapi',
  description: 'Print the OpenAPI document of the HTTP interface',
  flags: [],
  examples: [['pimlet openapi > pimlet.openapi.json', 'For generators of clients']],
  async run() {
    await writeOutput('-', Readable.from([`${JSON.stringify(await makeOpenApi(), null, 2)}\n`]))
    return 0
  },
}
