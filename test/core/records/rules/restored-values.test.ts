// What restoring writes: all that was, or what was chosen of it, and nothing that is so already.
import assert from 'node:assert/strict'
import fc from 'fast-check'
import { describe, it } from 'node:test'
import { scopedValues, type Values } from '../../../../src/core/records/rules/record.ts'
import { valuesToRestore } from '../../../../src/core/records/rules/restored-values.ts'
import { type Scope, scopeKey } from '../../../../src/core/scopes/scope.ts'

const aliases = ['name', 'toString', 'a'] as const
const scopes: readonly Scope[] = [{}, { language: 'de' }, { market: 'eu', language: 'en' }]
const scoped = fc.uniqueArray(fc.record({ scope: fc.constantFrom(...scopes), value: fc.nat(2) }), {
  selector: ({ scope }) => scopeKey(scope),
  minLength: 1,
})
const values: fc.Arbitrary<Values> = fc.dictionary(fc.constantFrom(...aliases), scoped)
const valueAt = (all: Values, alias: string, scope: Scope): unknown =>
  scopedValues(all, alias).find((item) => scopeKey(item.scope) === scopeKey(scope))?.value

describe('Restoring values', () => {
  it('changes what was chosen to what it was, nothing else, and names no attribute that stays', () => {
    const choice = fc.record({
      attributeAliases: fc.option(fc.subarray([...aliases]), { nil: undefined }),
      scopes: fc.option(fc.subarray([...scopes]), { nil: undefined }),
    })
    fc.assert(
      fc.property(values, values, choice, fc.subarray([...aliases]), (then, now, chosen, open) => {
        const update = valuesToRestore(then, now, chosen, (alias) => open.includes(alias as 'a'))
        const after: Values = { ...now, ...update }
        for (const alias of aliases) {
          const isChosen = (chosen.attributeAliases ?? open).includes(alias)
          let isChanged = false
          for (const scope of scopes) {
            const isMeant = isChosen && (chosen.scopes?.includes(scope) ?? true)
            assert.equal(valueAt(after, alias, scope), valueAt(isMeant ? then : now, alias, scope))
            isChanged ||= valueAt(after, alias, scope) !== valueAt(now, alias, scope)
          }
          assert.equal(Object.hasOwn(update, alias), isChanged)
        }
      }),
    )
  })
})
