// Implements the part of a browser's document that pages need for their elements, for tests of the displayed content.
// It supports text and attributes but no markup, so text stays text.

export class PageElement {
  readonly tag: string
  readonly attributes = new Map<string, string>()
  readonly childNodes: (PageElement | string)[] = []
  readonly listeners = new Map<string, (() => void)[]>()
  hidden = false

  constructor(tag: string) {
    this.tag = tag
  }

  get children(): PageElement[] {
    return this.childNodes.filter((child) => child instanceof PageElement)
  }

  get textContent(): string {
    return this.childNodes.map((child) => (typeof child === 'string' ? child : child.textContent)).join('')
  }

  get open(): boolean {
    return this.attributes.has('open')
  }

  setAttribute(name: string, value: string): void {
    this.attributes.set(name, value)
  }

  append(...children: (PageElement | string)[]): void {
    this.childNodes.push(...children)
  }

  addEventListener(type: string, listener: () => void): void {
    this.listeners.set(type, [...(this.listeners.get(type) ?? []), listener])
  }

  /** Unfolds the element like a reader. */
  unfold(): void {
    this.attributes.set('open', '')
    for (const listener of this.listeners.get('toggle') ?? []) listener()
  }

  /** Returns the element and all its descendants. */
  all(): PageElement[] {
    return [this, ...this.children.flatMap((child) => child.all())]
  }

  find(id: string): PageElement | undefined {
    return this.all().find((element) => element.attributes.get('id') === id)
  }
}

/** Installs the document for modules of pages, which use the global `document`. */
export function installPageDocument(): void {
  Object.assign(globalThis, { document: { createElement: (tag: string) => new PageElement(tag) } })
}
