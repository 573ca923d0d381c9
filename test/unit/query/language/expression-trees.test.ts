import fc from 'fast-check'
import t from 'tap'
import { expressionSql } from '../../../../src/event-store/postgres/renderer/expression-sql.ts'
import { OPERATIONS_SQL } from '../../../../src/event-store/postgres/renderer/operations-sql.ts'
import type { Applied, Typed } from '../../../../src/events/trees/expression.ts'
import { OPERATIONS, type Signature, type Wanted } from '../../../../src/events/trees/operations.ts'
import { isNumeric, type ValueType } from '../../../../src/events/trees/value-type.ts'
import { render } from '../../../../src/postgres/fragment.ts'
import { type Column, check } from '../../../../src/query/language/check.ts'
import type { Expression } from '../../../../src/query/language/tree.ts'
import { aggregates, sensible } from '../../../support/query/typed-expressions.ts'

const anything = (maxDepth: number) => fc.oneof(...Object.values(sensible(maxDepth)))

/** The trees of an expression and of the aggregates in it; none when it is refused. */
function treesOf(expression: Expression): readonly Typed[] {
  const columns: Column[] = []
  const grouping = { keys: [], aggregates: columns }
  const ofEvents = check(expression, { nowMs: 0, noAggregates: '' })
  const checked = ofEvents.ok
    ? ofEvents
    : check(expression, { nowMs: 0, noAggregates: '', grouping })
  if (!checked.ok) return []
  return [checked.value, ...columns.map(({ value }) => value)]
}

function appliedIn(tree: Typed): readonly Applied[] {
  return tree.kind === 'apply' ? [tree, ...tree.args.flatMap(appliedIn)] : []
}

t.test('a checked expression is data: what JSON makes of it is the same statement', async (t) => {
  fc.assert(
    fc.property(fc.oneof(anything(4), aggregates(2)), (expression) => {
      for (const tree of treesOf(expression)) {
        const copy = JSON.parse(JSON.stringify(tree)) as Typed
        t.strictSame(copy, tree)
        t.strictSame(render(expressionSql(copy)), render(expressionSql(tree)))
      }
      return true
    }),
    { numRuns: 500 },
  )
})

t.test('every operation has the arguments and the type that its signature says', async (t) => {
  const met = new Set<string>()
  const expressions = fc.sample(fc.oneof(anything(4), aggregates(2)), { numRuns: 4_000, seed: 7 })
  for (const node of expressions.flatMap(treesOf).flatMap(appliedIn)) {
    met.add(node.operation)
    const fault = faultOf(node)
    if (fault !== undefined) t.fail(`${fault}: ${JSON.stringify(node).slice(0, 400)}`)
  }
  t.strictSame(
    Object.keys(OPERATIONS).filter((operation) => !met.has(operation)),
    [],
    'all of them were met',
  )
})

/** Fault of a node; undefined when there is none. */
function faultOf({ operation, type, args }: Applied): string | undefined {
  const signature: Signature = OPERATIONS[operation]
  const wanted = wantedOf(signature, args.length)
  if (wanted === undefined) return `${operation} does not take ${args.length} arguments`
  const alike = new Set<string>()
  for (const [place, arg] of args.entries()) {
    const want = wanted[place]
    if (want === 'alike') alike.add(kindOf(arg.type))
    else if (want !== 'any' && kindOf(arg.type) !== want) return `argument ${place} is no ${want}`
  }
  if (alike.size > 1) return 'what must be alike is not'
  const [common] = alike
  const { gives } = signature
  const isGiven = gives === 'alike' ? kindOf(type) === common : gives === type
  const isRight = gives === 'number' ? isNumeric(type) : isGiven
  return isRight ? undefined : `it gives ${gives}`
}

function wantedOf(
  { takes, more = [], optional = [] }: Signature,
  count: number,
): readonly Wanted[] | undefined {
  const wanted = [...takes]
  while (more.length > 0 && wanted.length < count) wanted.push(...more)
  wanted.push(...optional)
  return count >= takes.length &&
    count <= wanted.length &&
    (more.length === 0 || wanted.length === count)
    ? wanted
    : undefined
}

function kindOf(type: ValueType): string {
  return isNumeric(type) ? 'number' : type
}

t.test('Postgres writes every operation, and no other', async (t) => {
  t.strictSame(Object.keys(OPERATIONS_SQL).sort(), Object.keys(OPERATIONS).sort())
})
