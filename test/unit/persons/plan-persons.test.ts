import fc from 'fast-check'
import t, { type Test } from 'tap'
import { NO_PERSON_CHANGE, type PersonChange } from '../../../src/events/event.ts'
import {
  type LoadedDistinctId,
  type LoadedPerson,
  type PersonsPlan,
  type PersonWork,
  planPersons,
} from '../../../src/persons/plan-persons.ts'
import { NO_CHANGE, PropertiesError } from '../../../src/persons/property-fold.ts'

const OLD = '2020-01-01T00:00:00.000000Z'
const NEW = '2024-01-01T00:00:00.000000Z'
const EVENT = '2026-01-01T00:00:00.000000Z'

function person(id: bigint, changes: Partial<LoadedPerson> = {}): LoadedPerson {
  return { id, isIdentified: false, createdAt: NEW, properties: '{}', ...changes }
}

function known(loaded: LoadedPerson): LoadedDistinctId {
  return { kind: 'known', person: loaded }
}

function work(distinctId: string, change: Partial<PersonChange> = {}): PersonWork {
  const of = { event: 'seen', uuid: '', timestamp: EVENT }
  return { ...of, distinctId, change: { ...NO_PERSON_CHANGE, ...change } }
}

function merge(
  distinctId: string,
  otherDistinctId: string,
  change: Partial<PersonChange> = {},
  kind: 'identify' | 'alias' | 'dangerously' = 'identify',
): PersonWork {
  return work(distinctId, { merge: { kind, otherDistinctId }, ...change })
}

function plan(loaded: Record<string, LoadedDistinctId>, ...items: PersonWork[]) {
  return planPersons(new Map(Object.entries(loaded)), items)
}

/** Lists must have the length of the pattern: `match` alone would let more pass. */
function matches(t: Test, actual: PersonsPlan, pattern: Pattern, message = ''): void {
  for (const name of LISTS) {
    if (pattern[name] !== undefined) t.equal(actual[name].length, pattern[name].length, name)
  }
  t.match(actual, pattern, message)
}

const LISTS = ['created', 'attached', 'updated', 'rewritten', 'folded'] as const
type Pattern = Partial<Record<(typeof LISTS)[number], readonly object[]>> & {
  readonly refusedMerges?: number
}
const NOTHING: Pattern = { created: [], attached: [], updated: [], rewritten: [], folded: [] }
const free = (id: bigint): LoadedDistinctId => ({ kind: 'new', id })

t.test('properties that cannot be read fail the plan', async (t) => {
  t.throws(() => plan({ a: free(1n) }, work('a', { set: '[]' })), PropertiesError)
})

t.test('an event without a profile makes no person and changes none', async (t) => {
  const quiet = work('a', { profile: false, set: '{"x":1}' })
  matches(t, plan({ a: free(1n) }, quiet), NOTHING)
  matches(t, plan({ a: known(person(1n)) }, quiet), NOTHING)
  matches(t, plan({ a: free(1n), b: free(2n) }, merge('a', 'b', { profile: false })), NOTHING)
})

t.test('a new distinct id gets a person, as old as its first event', async (t) => {
  const first = { ...work('a'), timestamp: NEW }
  matches(t, plan({ a: free(7n) }, first, work('a', { set: '{"x":1}' })), {
    ...NOTHING,
    created: [{ id: 7n, isIdentified: false, createdAt: NEW, set: '{"x":1}' }],
    attached: [{ distinctId: 'a', personId: 7n }],
  })
})

t.test('changes of one person under several distinct ids keep the order of arrival', async (t) => {
  const one = { isIdentified: true, createdAt: NEW, properties: undefined }
  const { updated } = plan(
    { a: known({ id: 1n, ...one }), b: known({ id: 1n, ...one }) },
    work('a', { set: '{"x":1}' }),
    work('b', { set: '{"x":2}' }),
    work('a', { setOnce: '{"x":3}' }),
  )
  t.same(updated, [{ id: 1n, ...NO_CHANGE, set: '{"x":2}' }])
})

t.test('a plain event of a known person changes nothing', async (t) => {
  matches(t, plan({ a: known(person(1n)) }, work('a')), NOTHING)
})

t.test('merging an id with itself does nothing, not even identify', async (t) => {
  matches(t, plan({ a: known(person(1n)) }, merge('a', 'a')), NOTHING)
})

t.test('neither exists: one identified person with both ids', async (t) => {
  matches(t, plan({ a: free(1n), b: free(2n) }, merge('a', 'b', { set: '{"x":1}' })), {
    ...NOTHING,
    created: [{ id: 1n, isIdentified: true, createdAt: EVENT, set: '{"x":1}' }],
    attached: [
      { distinctId: 'a', personId: 1n },
      { distinctId: 'b', personId: 1n },
    ],
  })
})

t.test('only one exists: it gets the other id and is identified', async (t) => {
  const expected = { id: 1n, isIdentified: true, createdAt: NEW, properties: '{"x":1}' }
  const kept = known(person(1n, { properties: '{"x":1}' }))
  matches(t, plan({ a: kept, b: free(2n) }, merge('a', 'b')), {
    ...NOTHING,
    attached: [{ distinctId: 'b', personId: 1n }],
    rewritten: [expected],
  })
  matches(t, plan({ a: free(2n), b: kept }, merge('a', 'b')), {
    ...NOTHING,
    attached: [{ distinctId: 'a', personId: 1n }],
    rewritten: [expected],
  })
})

t.test('both are one person: it is identified', async (t) => {
  const one = known(person(1n))
  matches(t, plan({ a: one, b: one }, merge('a', 'b')), {
    ...NOTHING,
    rewritten: [{ id: 1n, isIdentified: true }],
  })
})

t.test('an anonymous person is folded into the other', async (t) => {
  const loaded = {
    a: known(person(1n, { properties: '{"x":"mine","y":"mine"}' })),
    b: known(person(2n, { properties: '{"x":"theirs","z":"theirs"}', createdAt: OLD })),
  }
  const change = { setOnce: '{"z":"event"}', set: '{"y":"event"}' }
  for (const kind of ['identify', 'alias', 'dangerously'] as const) {
    const { rewritten, folded, created, updated } = plan(loaded, merge('a', 'b', change, kind))
    t.same({ created, updated }, { created: [], updated: [] })
    t.same(folded, [{ from: 2n, into: 1n }])
    const [target] = rewritten
    t.match(target, { id: 1n, isIdentified: true, createdAt: OLD })
    t.same(JSON.parse(target?.properties ?? ''), { x: 'mine', y: 'event', z: 'theirs' })
  }
})

t.test('an identified person is not folded, and keeps the target as it is', async (t) => {
  const loaded = { a: known(person(1n)), b: known(person(2n, { isIdentified: true })) }
  for (const kind of ['identify', 'alias'] as const) {
    matches(t, plan(loaded, merge('a', 'b', { set: '{"x":1}' }, kind)), {
      ...NOTHING,
      updated: [{ id: 1n, set: '{"x":1}' }],
      refusedMerges: 1,
    })
  }
})

t.test('a dangerous merge folds an identified person', async (t) => {
  const loaded = { a: known(person(1n)), b: known(person(2n, { isIdentified: true })) }
  matches(t, plan(loaded, merge('a', 'b', {}, 'dangerously')), {
    folded: [{ from: 2n, into: 1n }],
    rewritten: [{ id: 1n, isIdentified: true }],
  })
})

t.test('a refused merge creates the target when it is new', async (t) => {
  const loaded = { a: free(1n), b: known(person(2n, { isIdentified: true })) }
  matches(
    t,
    plan(loaded, work('a'), merge('a', 'b')),
    { created: [{ id: 1n, isIdentified: false }], folded: [], refusedMerges: 1 },
    'known since the event before',
  )
})

t.test('a person made in the same batch takes over a stored one', async (t) => {
  const loaded = { a: free(1n), b: known(person(2n, { properties: '{"x":1}', createdAt: OLD })) }
  const { created, folded, attached } = plan(loaded, work('a'), merge('a', 'b'))
  t.match(created, [{ id: 1n, isIdentified: true, createdAt: OLD, set: '{"x":1}' }])
  t.same(folded, [{ from: 2n, into: 1n }])
  t.same(attached, [{ distinctId: 'a', personId: 1n }])
})

t.test('chains end at the last target, the nearer person first', async (t) => {
  const loaded = {
    a: known(person(1n)),
    b: known(person(2n)),
    c: known(person(3n)),
    c2: known(person(3n)),
  }
  const { folded, distinctIds, updated } = plan(
    loaded,
    merge('b', 'c'),
    merge('a', 'b', {}, 'dangerously'),
    work('c2', { set: '{"late":1}' }),
  )
  t.same(folded, [
    { from: 2n, into: 1n },
    { from: 3n, into: 1n },
  ])
  t.same(updated, [])
  t.same([...distinctIds.keys()], [1n])
  t.same([...(distinctIds.get(1n) ?? [])].sort(), ['a', 'b', 'c', 'c2'])
})

t.test('any history leaves each distinct id with exactly one person that lives', async (t) => {
  const ids = ['a', 'b', 'c', 'd', 'e', 'f']
  const item = fc
    .tuple(
      fc.constantFrom(...ids),
      fc.option(fc.constantFrom(...ids), { nil: undefined }),
      fc.constantFrom('identify' as const, 'alias' as const, 'dangerously' as const),
    )
    .map(([distinctId, other, kind]) =>
      other === undefined ? work(distinctId) : merge(distinctId, other, {}, kind),
    )
  const start = fc.array(fc.nat(8), { minLength: ids.length, maxLength: ids.length })
  fc.assert(
    fc.property(start, fc.array(item, { maxLength: 12 }), (owners, items) => {
      const loaded = new Map(
        ids.map((id, index): [string, LoadedDistinctId] => {
          // Persons 1 to 4 are stored, some with several ids; other ids are new.
          const owner = owners[index] ?? 0
          const isKnown = owner >= 1 && owner <= 4
          const isIdentified = owner % 2 === 0
          return [
            id,
            isKnown ? known(person(BigInt(owner), { isIdentified })) : free(BigInt(100 + index)),
          ]
        }),
      )
      const { created, attached, rewritten, updated, folded } = planPersons(loaded, items)
      const gone = new Set(folded.map(({ from }) => from))
      const rows = new Map<string, bigint>()
      for (const [id, state] of loaded) if (state.kind === 'known') rows.set(id, state.person.id)
      for (const { distinctId, personId } of attached) {
        t.notOk(rows.has(distinctId), 'attached ids are free')
        rows.set(distinctId, personId)
      }
      const into = new Map(folded.map((each) => [each.from, each.into]))
      t.equal(into.size, folded.length, 'a person is folded once')
      for (const [id, owner] of rows) rows.set(id, into.get(owner) ?? owner)
      const living = new Set([1n, 2n, 3n, 4n, ...created.map(({ id }) => id)])
      for (const id of gone) living.delete(id)
      const used = [
        ...[...rewritten, ...updated].map(({ id }) => id),
        ...folded.map(({ into: target }) => target),
        ...rows.values(),
      ]
      t.same(
        used.filter((id) => !living.has(id)),
        [],
        'only persons that live are used',
      )
      const withoutPerson = []
      for (const { distinctId, change } of items) {
        if (!rows.has(distinctId)) withoutPerson.push(distinctId)
        const { merge: wish } = change
        if (wish?.kind === 'dangerously' && wish.otherDistinctId !== distinctId) {
          if (!rows.has(wish.otherDistinctId)) withoutPerson.push(wish.otherDistinctId)
        }
      }
      t.same(withoutPerson, [], 'every event has a person')
    }),
    { numRuns: 300 },
  )
})
