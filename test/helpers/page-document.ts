// As much of a browser's document as the pages need to make their elements, for tests that look at what is shown. It
// knows text and attributes, and no markup: what is set as text stays text.

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

  /** As a reader unfolds it. */
  unfold(): void {
    this.attributes.set('open', '')
    for (const listener of this.listeners.get('toggle') ?? []) listener()
  }

  /** It and everything inside. */
  all(): PageElement[] {
    return [this, ...this.children.flatMap((child) => child.all())]
  }

  find(id: string): PageElement | undefined {
    return this.all().find((element) => element.attributes.get('id') === id)
  }
}

/** For the pages' modules, which ask the global `document`. */
export function installPageDocument(): void {
  Object.assign(globalThis, { document: { createElement: (tag: string) => new PageElement(tag) } })
}
