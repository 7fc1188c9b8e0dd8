import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Method } from '../../../src/http/route.ts'
import { Router, splitPath } from '../../../src/http/pipeline/router.ts'

interface Named {
  readonly method: Method
  readonly id: string
}

function routerOf(...endpoints: [Method, string][]): Router<Named> {
  const router = new Router<Named>()
  for (const [method, path] of endpoints) router.add({ method, id: `${method} ${path}` }, path)
  return router
}

const find = (router: Router<Named>, method: string, path: string) => {
  const match = router.find(method, splitPath(path))
  return match && [match.route.id, ...Object.values(match.params)]
}

describe('The router', () => {
  it('prefers the exact segment, and comes back where that way ends nowhere, with nothing left of it', () => {
    const router = routerOf(['GET', '/a/:x/b'], ['GET', '/:y/:z/c'], ['POST', '/a/x/c'])
    assert.deepEqual(find(router, 'GET', '/a/1/b'), ['GET /a/:x/b', '1'])
    assert.deepEqual(find(router, 'GET', '/a/1/c'), ['GET /:y/:z/c', 'a', '1'])
    assert.deepEqual(find(router, 'GET', '/a/x/c'), ['GET /:y/:z/c', 'a', 'x'])
    assert.deepEqual(find(router, 'POST', '/a/x/c'), ['POST /a/x/c'])
    assert.equal(find(router, 'GET', '/a/1/d'), undefined)
    assert.equal(find(router, 'PUT', '/a/1/b'), undefined)
  })

  it('a parameter is never empty, and a path has no more segments than its route', () => {
    const router = routerOf(['GET', '/a/:x'])
    for (const path of ['/a', '/a/', '/a//', '/a/1/', '//a/1', ''])
      assert.equal(find(router, 'GET', path), undefined, path)
  })

  it('segments called like members of Object are segments like others', () => {
    const router = routerOf(['GET', '/a/:x'])
    assert.deepEqual(find(router, 'GET', '/a/__proto__'), ['GET /a/:x', '__proto__'])
    assert.equal(find(router, 'GET', '/constructor/x'), undefined)
    assert.equal(find(router, 'constructor', '/a/x'), undefined)
  })

  it('knows all methods of a path', () => {
    const router = routerOf(['PUT', '/a/:x'], ['GET', '/a/:x'], ['POST', '/a/new'])
    assert.deepEqual(router.methodsOf(['a', 'new']), ['GET', 'POST', 'PUT'])
    assert.deepEqual(router.methodsOf(['a', 'x']), ['GET', 'PUT'])
    assert.deepEqual(router.methodsOf(['b']), [])
  })

  it('refuses a second route for one method and path', () => {
    assert.throws(() => routerOf(['GET', '/a/:x'], ['GET', '/a/:y']), /mounted twice/)
  })
})
