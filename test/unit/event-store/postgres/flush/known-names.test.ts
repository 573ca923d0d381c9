import t from 'tap'
import { KnownNames, NO_NAMES } from '../../../../../src/event-store/postgres/flush/known-names.ts'

const list = (...names: string[]) => JSON.stringify(names)
const numbered = (known: KnownNames, ...names: string[]) => {
  const number = known.numberOf(list(...names))
  if (number === undefined) throw new Error('no number')
  return number
}

t.test('lists are told apart, and by their names which has which', async (t) => {
  const known = new KnownNames()
  t.equal(known.numberOf(''), NO_NAMES)
  const [ab, bc, c] = [numbered(known, 'a', 'b'), numbered(known, 'b', 'c'), numbered(known, 'c')]
  t.equal(numbered(known, 'a', 'b'), ab)
  t.ok(known.covers(bc, c))
  t.notOk(known.covers(c, bc))
  t.notOk(known.covers(ab, c))
  t.ok(known.covers(NO_NAMES, NO_NAMES))
  t.notOk(known.covers(NO_NAMES, c))
  const all = known.union(ab, bc)
  t.ok(known.covers(all, ab) && known.covers(all, bc))
  t.equal(known.union(bc, ab), all)
  t.equal(known.union(all, c), all)
  t.equal(known.union(NO_NAMES, c), c)
})

t.test('a text that is too long or no JSON has no number', async (t) => {
  const known = new KnownNames()
  t.equal(known.numberOf('["a'), undefined)
  t.equal(known.numberOf(list('x'.repeat(5_000))), undefined)
})

t.test('very many lists are forgotten, and others take their place', async (t) => {
  const known = new KnownNames()
  const old = numbered(known, 'old')
  for (let n = 0; n < 3_000; n++) numbered(known, `name ${n}`)
  const young = numbered(known, 'old')
  t.not(young, old)
  t.notOk(known.covers(old, young), 'what was known of a person counts for nothing')
  t.equal(known.union(old, young), young)
})
