// `pimlet openapi`: prints the OpenAPI document that a server of this version answers. Decisions §8.
import { Readable } from 'node:stream'
import type { CommandModule } from 'yargs'
import { makeOpenApi } from '../documentation.ts'
import { writeOutput } from './output-file.ts'

export const openapiCommand: CommandModule = {
  command: 'openapi',
  describe: 'Print the OpenAPI document of the HTTP interface',
  builder: (command) => command.example([['pimlet openapi > pimlet.openapi.json', 'For generators of clients']]),
  handler: async () => {
    await writeOutput('-', Readable.from([`${JSON.stringify(await makeOpenApi(), null, 2)}\n`]))
  },
}
