// Combines look-ups: single look-ups of one turn of the event loop become one statement for each kind.
import type { Asked, Load } from '../store/rows/session.ts'

/** The most IDs of one statement, so that a small query does not wait long for large ones. */
const MOST = 100

interface Gathered {
  readonly ids: string[]
  readonly answer: Promise<ReadonlyMap<string, unknown>>
}

export class GatheredLoads {
  readonly #from: Asked
  /** Kind → the look-ups that are sent at the end of this turn. */
  readonly #gathered = new Map<string, Gathered>()

  constructor(from: Asked) {
    this.#from = from
  }

  /** Looks up one value; resolves to undefined if it does not exist. @param load the same for all look-ups of the kind */
  load<Value>(kind: string, id: string, load: Load<Value>): Promise<Value | undefined> {
    let gathered = this.#gathered.get(kind)
    if (gathered === undefined || gathered.ids.length >= MOST) {
      gathered = this.#begin(kind, load)
      this.#gathered.set(kind, gathered)
    }
    gathered.ids.push(id)
    return gathered.answer.then((values) => values.get(id) as Value | undefined)
  }

  #begin<Value>(kind: string, load: Load<Value>): Gathered {
    const ids: string[] = []
    const answer = new Promise<ReadonlyMap<string, Value>>((resolve, reject) => {
      setImmediate(() => {
        if (this.#gathered.get(kind)?.ids === ids) this.#gathered.delete(kind)
        load([...new Set(ids)], this.#from).then(resolve, reject)
      })
    })
    return { ids, answer }
  }
}
