// Names of users and API keys, for users who may read the trail; everybody else sees IDs. Contract 3 §7 (`/people`).
import { useConsole, useQuery } from './context.ts'

/** The name for an ID. An unknown name is the ID itself. */
export function usePeople(): (id: string) => string {
  const { call, model } = useConsole()
  const mayRead = model.may('audit.read')
  const query = useQuery('people', async (signal) => {
    if (!mayRead) return new Map<string, string>()
    const { body } = await call('GET /api/v1/people', { signal })
    return new Map(body.map(({ id, name }) => [id, name]))
  })
  const names = query.data.value
  return (id) => names?.get(id) ?? id
}
