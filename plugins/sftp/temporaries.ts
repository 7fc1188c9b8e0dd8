// Notes about temporary files in the run's leftovers. A note names the server and the user, because the job may go elsewhere
// by now: there, nothing is looked for.
import * as v from 'valibot'
import type { RunContext } from '../../src/kernel/destination.ts'
import type { SftpConfig } from './config.ts'

const OWN_NAME = /(^|\/)\.pimlet-[^/]+\.part$/

const noteSchema = v.object({ host: v.string(), port: v.number(), username: v.string(), path: v.string() })

export interface Temporary {
  readonly path: string
  /** Its name among the leftovers. */
  readonly note: string
}

export async function noteTemporary(directory: string, config: SftpConfig, context: RunContext): Promise<Temporary> {
  const path = `${directory}.pimlet-${context.runId}-${crypto.randomUUID()}.part`
  const note = JSON.stringify({ ...placeOf(config), path })
  await context.leftovers.note(note)
  return { path, note }
}

/** The noted files at the place of `config`. Other notes of the job stay. */
export async function listTemporaries(config: SftpConfig, context: RunContext): Promise<Temporary[]> {
  const { host, port, username } = placeOf(config)
  const notes = await context.leftovers.list()
  return notes.flatMap((note) => {
    const { success, output } = v.safeParse(v.pipe(v.string(), v.parseJson(), noteSchema), note)
    // Earlier versions noted the path alone.
    const noted = success ? output : { host, port, username, path: note }
    const isHere = noted.host === host && noted.port === port && noted.username === username
    return isHere && OWN_NAME.test(noted.path) ? [{ path: noted.path, note }] : []
  })
}

function placeOf({ host, port, username }: SftpConfig) {
  return { host: host.toLowerCase(), port, username }
}
