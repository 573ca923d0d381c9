/**
 * Flags as evaluation reads them have few shapes, however many there are: with a shape for each,
 * V8 looks every member up anew, and a thousand flags cost five times as much.
 */
import { setFlagsFromString } from 'node:v8'
import { runInThisContext } from 'node:vm'
import t from 'tap'
import { ask, flag, person, snapshot } from './support.ts'

/** V8 keeps code for as many shapes in one place; beyond, it looks them up. */
const SHAPES_MAX = 4

setFlagsFromString('--allow-natives-syntax')
const haveSameShape: (a: object, b: object) => boolean = runInThisContext(
  '(a, b) => %HaveSameMap(a, b)',
)

function shapesOf(objects: readonly object[]): number {
  const kinds: object[] = []
  for (const object of objects) {
    if (!kinds.some((kind) => haveSameShape(kind, object))) kinds.push(object)
  }
  return kinds.length
}

const VARIANTS = [
  { key: 'control', rollout_percentage: 50 },
  { key: 'test', rollout_percentage: 50 },
]
const all = Array.from({ length: 200 }, (_, id) =>
  flag(id + 1, `flag-${id}`, {
    groups: [
      {
        properties: id % 3 === 0 ? [person('plan', `plan ${id}`)] : [],
        rollout_percentage: id / 2,
      },
    ],
    multivariate: id % 4 === 0 ? { variants: VARIANTS } : null,
    payloads: id % 5 === 0 ? { true: `"${id}"` } : {},
  }),
)
const compiled = snapshot(all)
const { results } = ask(compiled)

t.test('flags have few shapes, and so have their parts and their results', async (t) => {
  const { flags } = compiled
  const sets = flags.flatMap((each) => each.sets)
  const parts = {
    flags,
    sets,
    reasons: sets.flatMap(({ reasons }) => [reasons.matched, reasons.noMatch]),
    filters: sets.flatMap(({ filters }) => filters),
    outcomes: flags.flatMap(({ on, off, variants }) => [
      on,
      off,
      ...variants.map((v) => v.outcome),
    ]),
    results,
    fragments: results.map(({ fragments }) => fragments),
  }
  for (const [name, objects] of Object.entries(parts)) {
    t.ok(objects.length > 50, `${name}: enough of them`)
    t.ok(shapesOf(objects) <= SHAPES_MAX, `${name}: ${shapesOf(objects)} shapes`)
  }
})

t.test('snapshots of projects share their shapes', async (t) => {
  const projects = Array.from({ length: 100 }, (_, id) => snapshot(all.slice(id, id + 1)))
  t.ok(shapesOf(projects) <= SHAPES_MAX, `${shapesOf(projects)} shapes`)
})

t.test('objects of several shapes are told apart', async (t) => {
  const spread = Array.from({ length: 20 }, (_, a) => ({ [`member${a}`]: a }))
  t.equal(shapesOf(spread), 20)
})
