// Finds the route of a method and path: exact segments first, then parameters; a path that matches in one way but lacks
// the method is tried in the other. (`GET /records/import` is the record `import`, `POST /records/import` an import.)

/** The part of a route that the router needs. */
interface Routed {
  readonly method: string
}

interface Leaf<Route> {
  readonly route: Route
  /** Names of the parameters, in the order of the path. */
  readonly names: readonly string[]
}

interface Node<Route> {
  readonly exact: Map<string, Node<Route>>
  parameter: Node<Route> | undefined
  readonly routes: Map<string, Leaf<Route>>
}

interface Match<Route> {
  readonly route: Route
  readonly params: PathParams
}

/** Name → decoded segment. */
export type PathParams = Readonly<Record<string, string>>

export class Router<Route extends Routed> {
  readonly #root = makeNode<Route>()

  /** @throws Error where method and path are taken */
  add(route: Route, path: string): void {
    let node = this.#root
    const names: string[] = []
    for (const segment of splitPath(path)) {
      if (segment.startsWith(':')) {
        names.push(segment.slice(1))
        node = node.parameter ??= makeNode()
      } else {
        const next = node.exact.get(segment) ?? makeNode<Route>()
        node.exact.set(segment, next)
        node = next
      }
    }
    if (node.routes.has(route.method)) throw new Error(`${route.method} ${path} is mounted twice`)
    node.routes.set(route.method, { route, names })
  }

  /** `segments` are decoded. */
  find(method: string, segments: readonly string[]): Match<Route> | undefined {
    const values: string[] = []
    const leaf = find(this.#root, method, segments, 0, values)
    if (leaf === undefined) return undefined
    return { route: leaf.route, params: Object.fromEntries(values.map((value, index) => [leaf.names[index]!, value])) }
  }

  /** The methods that the path has, in order; empty where the path is unknown. */
  methodsOf(segments: readonly string[]): string[] {
    const methods = new Set<string>()
    collect(this.#root, segments, 0, methods)
    return [...methods].sort()
  }
}

function makeNode<Route>(): Node<Route> {
  return { exact: new Map(), parameter: undefined, routes: new Map() }
}

/** `/a/b` → `['a', 'b']` */
export function splitPath(path: string): string[] {
  const segments: string[] = []
  let from = 1
  for (let to = path.indexOf('/', from); to !== -1; to = path.indexOf('/', from)) {
    segments.push(path.slice(from, to))
    from = to + 1
  }
  segments.push(path.slice(from))
  return segments
}

function find<Route>(
  node: Node<Route>,
  method: string,
  segments: readonly string[],
  at: number,
  values: string[],
): Leaf<Route> | undefined {
  if (at === segments.length) return node.routes.get(method)
  const segment = segments[at]!
  const exact = node.exact.get(segment)
  const found = exact && find(exact, method, segments, at + 1, values)
  if (found !== undefined || node.parameter === undefined || segment === '') return found
  const before = values.length
  values.push(segment)
  const viaParameter = find(node.parameter, method, segments, at + 1, values)
  if (viaParameter === undefined) values.length = before
  return viaParameter
}

function collect<Route>(node: Node<Route>, segments: readonly string[], at: number, methods: Set<string>): void {
  if (at === segments.length) {
    for (const method of node.routes.keys()) methods.add(method)
    return
  }
  const segment = segments[at]!
  const exact = node.exact.get(segment)
  if (exact !== undefined) collect(exact, segments, at + 1, methods)
  if (node.parameter !== undefined && segment !== '') collect(node.parameter, segments, at + 1, methods)
}
