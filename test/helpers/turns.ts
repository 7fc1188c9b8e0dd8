// Counts what is done within one turn of the event loop: whether work leaves others their turns.
import { setImmediate as nextTurn } from 'node:timers/promises'

/** Keeps the thread busy. */
export function work(milliseconds: number): void {
  const end = performance.now() + milliseconds
  while (performance.now() < end);
}

export class Turns {
  #inThisTurn = 0
  /** The most calls of `count` from one turn to the next. */
  most = 0

  count(): void {
    this.#inThisTurn += 1
    this.most = Math.max(this.most, this.#inThisTurn)
  }

  /** Goes through the turns until `isOver` says that there is nothing more to count. */
  async follow(isOver: () => boolean): Promise<void> {
    while (!isOver()) {
      await nextTurn()
      this.#inThisTurn = 0
    }
  }
}
