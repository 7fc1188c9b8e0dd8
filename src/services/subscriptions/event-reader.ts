// Reads events for one subscription, as long as what it asks for fits the model and its last writer's role. Contract 3 §6.
import { denied } from '../../domain/errors.ts'
import type { Role } from '../../domain/accounts/permissions.ts'
import type { Model } from '../../domain/model/model.ts'
import { assertCanSearch } from '../../domain/search/criteria.ts'
import type { Store } from '../../storage/port.ts'
import type { EventPage, EventQuery, StoredSubscription } from '../../storage/subscription-port.ts'
import { searchedSchemas } from '../../domain/search/searched-schemas.ts'
import { assertFits } from './selection-fit.ts'

export class EventReader {
  readonly #store: Pick<Store, 'read'>
  /** For which it was found that all fits. */
  #checked: { readonly model: Model; readonly updatedAt: string } | undefined

  constructor(store: Pick<Store, 'read'>) {
    this.#store = store
  }

  /** @throws VALIDATION_ERROR, PERMISSION_DENIED where it does not fit any more; UNAVAILABLE */
  async read(stored: StoredSubscription, range: Pick<EventQuery, 'after' | 'through' | 'limit'>): Promise<EventPage> {
    const { events, schemaIds, selection } = stored.subscription
    for (;;) {
      const { model, role } = await this.#check(stored)
      const page = await this.#store.read.events(
        { role, events, schemaIds, selection, ...range },
        new AbortController().signal,
      )
      // What was read may be from after a change of the model: a selection that does not fit any more finds nothing, and nobody is told.
      if ((await this.#store.read.model()) === model) return page
    }
  }

  /** The model that it fits, and the role whose eyes it has. */
  async #check({ subscription }: StoredSubscription): Promise<{ readonly model: Model; readonly role: Role }> {
    const model = await this.#store.read.model()
    const { roleId, selection, updatedAt } = subscription
    const role = model.roles.get(roleId)
    if (role === undefined) throw denied('The role of its last writer is gone')
    if (this.#checked?.model !== model || this.#checked.updatedAt !== updatedAt) {
      assertFits(subscription, model)
      if (selection !== null) assertCanSearch(selection, searchedSchemas(model, selection.schemaId ?? undefined), role)
      this.#checked = { model, updatedAt }
    }
    return { model, role }
  }
}
