import fc from 'fast-check'
import t from 'tap'
import { expressionSql } from '../../../../src/event-store/postgres/renderer/expression-sql.ts'
import { needsPerson } from '../../../../src/events/trees/expression.ts'
import { render } from '../../../../src/postgres/fragment.ts'
import { check } from '../../../../src/query/language/check.ts'
import type { Expression } from '../../../../src/query/language/tree.ts'
import { codePoint } from '../../../support/code-points.ts'
import { call, field, operation, sensible, text } from '../../../support/query/typed-expressions.ts'

const sql = (expression: Expression) => {
  const checked = check(expression, { nowMs: 0, noAggregates: 'No aggregates' })
  return checked.ok ? render(expressionSql(checked.value)) : undefined
}

const anything = (maxDepth: number) => fc.oneof(...Object.values(sensible(maxDepth)))

/** Quoted texts of our own, words, numbers and signs. */
const TOKEN = /'(?:[^']|'')*'|"[^"]*"|[A-Za-z_]+|\$?[0-9]+|\S/g

function tokensOf(statement: string): string[] {
  return (statement.match(TOKEN) ?? []).filter((token) => !token.startsWith('$'))
}

/** Words of all statements, whatever is asked; everything else in them is a `$n`. */
const VOCABULARY = new Set(
  fc
    .sample(anything(5), { numRuns: 3_000, seed: 7 })
    .flatMap((expression) => tokensOf(sql(expression)?.text ?? '')),
)

t.test('a statement is made of our own words and of places for values', async (t) => {
  t.ok(VOCABULARY.size > 50 && VOCABULARY.size < 200, `${VOCABULARY.size} words`)
  fc.assert(
    fc.property(anything(4), (expression) => {
      const strange = tokensOf(sql(expression)?.text ?? '').filter((word) => !VOCABULARY.has(word))
      return t.strictSame(strange, [])
    }),
    { numRuns: 500 },
  )
})

t.test('no byte of a literal or a key is in a statement', async () => {
  // Letters that no template of ours has beside one another.
  const hostile = fc
    .string({ unit: codePoint, maxLength: 12 })
    .map((part) => `qzx${part}'"$1;--\\ or true`)
  const marked = fc.oneof(
    hostile.map((each) => text(each)),
    hostile.map((each) => field('properties', each)),
    hostile.map((each) => field('person', 'properties', each)),
  )
  const shapes = [
    (one: Expression, two: Expression) => operation('=', one, two),
    (one: Expression, two: Expression) => operation('in', one, two, one),
    (one: Expression, two: Expression) => operation('not like', one, two),
    (one: Expression, two: Expression) => operation('||', one, two),
    (one: Expression, two: Expression) => call('replaceOne', one, two, one),
    (one: Expression, two: Expression) => call('coalesce', one, two),
    (one: Expression, two: Expression) => call('ifElse', operation('<', one, two), two, one),
    (one: Expression, two: Expression) => call('toDateTime', call('concat', one, two)),
  ]
  fc.assert(
    fc.property(fc.constantFrom(...shapes), marked, marked, (shape, one, two) => {
      const made = sql(shape(one, two))
      if (made === undefined) return false
      const places = made.text.match(/\$\d+::text/g) ?? []
      return !made.text.includes('qzx') && places.length === made.values.length
    }),
    { numRuns: 500 },
  )
})

t.test('the text depends on the shape alone', async (t) => {
  /** The same tree with other texts and keys. */
  const other = (expression: Expression): Expression => {
    switch (expression.kind) {
      case 'text':
        return { ...expression, value: `qzx${expression.value.length}` }
      case 'field': {
        const { path } = expression
        const isProperty = path[path.length - 2] === 'properties'
        return isProperty ? { ...expression, path: [...path.slice(0, -1), 'qzx'] } : expression
      }
      case 'call':
        // The unit of these two is a word of the language.
        if (/^date(?:Diff|Trunc)$/.test(expression.name)) {
          const [unit, ...args] = expression.args
          return { ...expression, args: [...(unit ? [unit] : []), ...args.map(other)] }
        }
        return { ...expression, args: expression.args.map(other) }
      case 'operation':
        return { ...expression, args: expression.args.map(other) }
      default:
        return expression
    }
  }
  fc.assert(
    fc.property(anything(3), (expression) => {
      const [one, two] = [sql(expression), sql(other(expression))]
      // A text may have been a date, and then its neighbours are times.
      if (one === undefined || two === undefined) return true
      return t.equal(two.text, one.text)
    }),
    { numRuns: 300 },
  )
})

t.test('no expression makes a statement out of proportion', async (t) => {
  const nested = (name: string, depth: number): Expression =>
    depth === 0 ? field('properties', 'x') : call(name, nested(name, depth - 1))
  for (const name of ['toDateTime', 'toString', 'toInt', 'toFloat', 'lower', 'round']) {
    const both = (depth: number): Expression =>
      depth === 0 ? field('event') : call('toString', call(name, both(depth - 1)))
    for (const make of [both, (depth: number) => nested(name, depth)]) {
      const sizes = [4, 8, 16].map((depth) => sql(make(depth))?.text.length ?? 0)
      const [small = 0, middle = 0, large = 0] = sizes
      t.ok(large - middle <= 2.5 * (middle - small), `${name}: ${sizes.join(', ')}`)
    }
  }
})

t.test('a person is joined only when something is asked of it', async (t) => {
  const asks = (expression: Expression) => {
    const checked = check(expression, { nowMs: 0, noAggregates: '' })
    return checked.ok && needsPerson(checked.value)
  }
  t.notOk(asks(operation('=', field('event'), field('properties', 'email'))))
  t.ok(asks(field('person_id')))
  t.ok(asks(operation('and', field('properties', 'a'), field('person', 'properties', 'a'))))
  t.ok(asks(call('lower', call('toString', field('person', 'created_at')))))
})
