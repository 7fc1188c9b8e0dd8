// Moves the focus of a removed element to its neighbours, where keys continue.
import { isTouch } from '../kit/touch.ts'

/** On a touch screen, a focused input would open the keys of the screen. */
const TARGETS = `a[href], button, ${isTouch ? '' : 'input, select, textarea, '}[tabindex]`

/** A box around the focus, and the index of its child that had the focus. */
type Around = readonly [box: Element, at: number]

/** Moves the focus of each removed element to a neighbour. Returns a function that ends this. */
export function keepFocus(): () => void {
  let last: Element | undefined
  let around: readonly Around[] = []
  const remember = ({ target }: FocusEvent): void => {
    last = target as Element
    around = boxesAround(last)
  }
  const forget = (): void =>
    // Some browsers report the blur of an element that is about to be removed.
    queueMicrotask(() => {
      if (last?.isConnected === true && document.activeElement === document.body) last = undefined
    })
  const observer = new MutationObserver(() => {
    if (last === undefined || last.isConnected || document.activeElement !== document.body) return
    last = undefined
    for (const each of around) if (focusIn(each)) return
    document.querySelector('main')?.focus({ preventScroll: true })
  })
  document.addEventListener('focusin', remember)
  document.addEventListener('focusout', forget)
  observer.observe(document.body, { childList: true, subtree: true })
  return () => {
    document.removeEventListener('focusin', remember)
    document.removeEventListener('focusout', forget)
    observer.disconnect()
  }
}

/**
 * Returns the boxes around the element, the innermost first, without the outermost of a place: a new place receives the
 * focus.
 */
function boxesAround(element: Element): Around[] {
  const whole = element.closest('main, dialog')
  const found: Around[] = []
  for (let part = element; part !== whole;) {
    const box = part.parentElement
    if (box === null) return []
    found.push([box, [...box.children].indexOf(part)])
    part = box
  }
  return whole?.localName === 'main' ? found.slice(0, -1) : found
}

/** Whether the box took the focus. */
function focusIn([box, at]: Around): boolean {
  if (!box.isConnected) return false
  const near = box.children[Math.min(at, box.children.length - 1)]
  const targets = [near, ...(near?.querySelectorAll(TARGETS) ?? []), ...box.querySelectorAll(TARGETS), box]
  const target = targets.find((one): one is HTMLElement => one?.matches(TARGETS) === true && one.checkVisibility())
  target?.focus({ preventScroll: true })
  return target !== undefined
}
