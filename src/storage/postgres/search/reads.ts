// Searches, and what else is answered from the search tables.
import { PimletError } from '../../../domain/errors.ts'
import type { Model } from '../../../domain/model/model.ts'
import type { CommittedReads } from '../../port.ts'
import type { Connections } from '../connections.ts'

export interface SearchReadsParts {
  readonly connections: Connections
  /** As new as the last commit of this process. */
  readonly model: () => Promise<Model>
  /** Milliseconds of work that one search may take. */
  readonly timeout: number
  readonly onFault: (message: string, error: unknown) => void
}

export function createSearchReads(
  _parts: SearchReadsParts,
): Pick<CommittedReads, 'search' | 'facets' | 'suggest' | 'completeness' | 'items' | 'preview' | 'whenSearchable'> {
  const refuse = async (): Promise<never> => {
    throw new PimletError('UNAVAILABLE', 'This storage does not search yet')
  }
  return {
    search: refuse,
    facets: refuse,
    suggest: refuse,
    completeness: { score: refuse, gates: refuse, draft: refuse },
    items: { list: refuse, inCategory: refuse, get: refuse },
    preview: refuse,
    whenSearchable: refuse,
  }
}
