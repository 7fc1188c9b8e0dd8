// What both programs need: where the server is, and to end where something is wrong.
declare const process: { env: Record<string, string | undefined> }

export const baseUrl = process.env['PIMLET_URL'] ?? ''
export const key = process.env['PIMLET_API_KEY'] ?? ''

/** The data of an answer, as both clients hand it out. */
export async function done<Data>(
  answer: Promise<{ data?: Data; error?: { error: string; message: string }; response?: Response }>,
): Promise<NonNullable<Data>> {
  const { data, error, response } = await answer
  if (data === undefined || data === null) throw new Error(`${response?.status}: ${error?.error} ${error?.message}`)
  return data
}

export function equal(actual: unknown, expected: unknown): void {
  if (JSON.stringify(actual) !== JSON.stringify(expected))
    throw new Error(`${JSON.stringify(actual)} is not ${JSON.stringify(expected)}`)
}
