// Counts work within one turn of the event loop, to check that other work gets turns.
import { setImmediate as nextTurn } from 'node:timers/promises'

export function work(milliseconds: number): void {
  const end = performance.now() + milliseconds
  while (performance.now() < end);
}

export class Turns {
  #inThisTurn = 0
  /** The most calls of `count` within one turn. */
  most = 0

  count(): void {
    this.#inThisTurn += 1
    this.most = Math.max(this.most, this.#inThisTurn)
  }

  /** Follows the turns until `isOver` returns true. */
  async follow(isOver: () => boolean): Promise<void> {
    while (!isOver()) {
      await nextTurn()
      this.#inThisTurn = 0
    }
  }
}
