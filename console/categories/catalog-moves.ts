// Moves a category. Each move starts from the result of the previous move. Undo works until somebody else moves the
// category. C1.
import type { Call } from '../api/call.ts'
import { makeSequence } from './sequence.ts'
import type { Undo } from '../state/undo.ts'
import { type CountedCategory, isSameMove, type Move, placeOf } from './category-tree.ts'

/** The services of the page that moves need. */
interface MovesHost {
  readonly call: Call
  readonly undo: Undo
  readonly catalogId: string
  /** The shown tree, and a function that replaces it. */
  readonly shown: () => readonly CountedCategory[] | undefined
  readonly show: (categories: readonly CountedCategory[]) => void
  readonly nameOf: (category: CountedCategory) => string
  readonly words: { stepMove(name: string): string; changedSince(): string }
}

export type Plan = (categories: readonly CountedCategory[]) => Move | undefined

export class CatalogMoves {
  readonly #host: MovesHost
  readonly #inSequence = makeSequence()

  constructor(host: MovesHost) {
    this.#host = host
  }

  /** @throws the errors of a call; the tree is then read again, because somebody else may have changed it */
  move(id: string, plan: Plan): Promise<void> {
    return this.#inSequence(async () => {
      const before = this.#host.shown() ?? []
      const to = plan(before)
      const from = placeOf(before, id)
      const category = before.find((one) => one.id === id)
      if (to === undefined || from === undefined || category === undefined) return
      const arrived = await this.#send(id, to)
      this.#host.undo.push({
        name: this.#host.words.stepMove(this.#host.nameOf(category)),
        undo: () => this.#return(id, arrived, from),
        redo: () => this.#return(id, from, to),
      })
    })
  }

  /** Resolves to the final place: the sibling directly after the place may have moved. */
  async #send(id: string, to: Move): Promise<Move> {
    try {
      await this.#host.call('POST /api/v1/categories/:id/move', { params: { id }, body: to })
    } finally {
      await this.#read()
    }
    return placeOf(this.#host.shown() ?? [], id) ?? to
  }

  #return(id: string, expected: Move, to: Move): Promise<void> {
    return this.#inSequence(async () => {
      await this.#read()
      if (!isSameMove(placeOf(this.#host.shown() ?? [], id), expected)) throw new Error(this.#host.words.changedSince())
      await this.#send(id, to)
    })
  }

  async #read(): Promise<void> {
    const { call, catalogId, show } = this.#host
    const query = { counts: 'direct,total' } as const
    show((await call('GET /api/v1/catalogs/:id/categories', { params: { id: catalogId }, query })).body)
  }
}
