import fc from 'fast-check'
import t from 'tap'
import {
  createEventTail,
  OVERLAP_MS,
  type StoredEvents,
  type TailedEvent,
} from '../../../../src/cli/events/event-tail.ts'

const START_MS = Date.UTC(2026, 0, 1)

function event(id: number, storedMs: number): TailedEvent {
  const storedAt = new Date(START_MS + storedMs).toISOString()
  return { ...{ uuid: String(id), storedAt, timestamp: storedAt }, ...REST }
}

const REST = { event: 'e', distinctId: 'd', properties: '{}' }

/** A list as the server has it; `before` runs before each page. */
function list(before: () => void = () => {}) {
  const rows: TailedEvent[] = []
  const sorted = () =>
    rows.toSorted((a, b) => `${a.storedAt} ${a.uuid}`.localeCompare(`${b.storedAt} ${b.uuid}`))
  const stored: StoredEvents = {
    async from(since, { offset, limit }) {
      before()
      const found = sorted().filter(({ storedAt }) => since === undefined || storedAt >= since)
      return found.slice(offset, offset + limit)
    },
    newest: async (limit) => sorted().toReversed().slice(0, limit),
  }
  return { rows, stored }
}

const isEven = (uuid: string) => Number(uuid) % 2 === 0
const ids = (events: readonly TailedEvent[]) => events.map(({ uuid }) => uuid)

t.test('it begins with the newest, and then gives each event once', async (t) => {
  const { rows, stored } = list()
  for (let id = 1; id <= 5; id++) rows.push(event(id, id * 60_000))
  const tail = createEventTail(stored)
  t.strictSame(ids(await tail.begin(2)), ['4', '5'])
  t.strictSame(await tail.look(), [])
  rows.push(event(6, 301_000), event(7, 302_000))
  t.strictSame(ids(await tail.look()), ['6', '7'])
  t.strictSame(await tail.look(), [])
  t.strictSame(await createEventTail(stored).begin(0), [])
  t.strictSame(await createEventTail(list().stored).begin(3), [])
})

t.test('an event that is seen later than a younger one is not missed', async (t) => {
  const { rows, stored } = list()
  rows.push(event(1, 100_000))
  const tail = createEventTail(stored)
  await tail.begin(10)
  rows.push(event(2, 110_000))
  t.strictSame(ids(await tail.look()), ['2'])
  rows.push(event(3, 110_000 - OVERLAP_MS + 1))
  t.strictSame(ids(await tail.look()), ['3'])
  t.strictSame(await tail.look(), [])
})

t.test('a look that fails is repeated whole by the next', async (t) => {
  let fails = false
  const { rows, stored } = list(() => {
    if (fails) throw new Error('away')
  })
  const tail = createEventTail(stored)
  await tail.begin(1)
  for (let id = 0; id < 2_500; id++) rows.push(event(id, id))
  fails = true
  await t.rejects(tail.look(), { message: 'away' })
  fails = false
  t.equal((await tail.look()).length, 2_500)
})

t.test('events of a stream are not found again by a look, and missed ones are', async (t) => {
  const { rows, stored } = list()
  rows.push(event(1, 100_000))
  const tail = createEventTail(stored)
  await tail.begin(0)
  t.notOk(tail.take(event(1, 100_000)), 'shown by the list before')
  rows.push(event(2, 101_000), event(3, 102_000))
  // The worker's clock differs from that of the database.
  t.ok(tail.take({ ...event(3, 102_000), storedAt: event(0, 108_000).storedAt }))
  t.strictSame(ids(await tail.look()), ['2'])
  for (let second = 103; second < 200; second++) {
    rows.push(event(second, second * 1_000))
    const storedAt = event(0, second * 1_000 - 10_000).storedAt
    t.ok(tail.take({ ...event(second, second * 1_000), storedAt }))
    t.strictSame(await tail.look(), [])
  }
  const otherDay = { ...event(199, 199_000), timestamp: '2026-01-02T00:00:00Z' }
  t.ok(tail.take(otherDay), 'an id of another day')
})

t.test('whatever is stored while it looks comes once', async (t) => {
  const step = fc.record({
    added: fc.array(fc.integer({ min: 0, max: OVERLAP_MS - 1_000 }), { maxLength: 20 }),
    passedMs: fc.integer({ min: 0, max: 5_000 }),
  })
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 30 }), async (steps) => {
      let nextId = 0
      let nowMs = 1_000_000
      const offered: TailedEvent[] = []
      const pending: { added: number[]; passedMs: number }[] = []
      const { rows, stored } = list(() => {
        const { added, passedMs } = pending.shift() ?? { added: [], passedMs: 0 }
        // The newest of a moment is dated now; others began up to the overlap before.
        for (const ago of added) rows.push(event(nextId++, nowMs - ago))
        offered.push(...rows.slice(rows.length - added.length).filter(({ uuid }) => isEven(uuid)))
        nowMs += Math.min(passedMs, 900)
      })
      const tail = createEventTail(stored)
      await tail.begin(0)
      const seen: string[] = []
      pending.push(...steps)
      do {
        seen.push(...ids(await tail.look()))
        // A stream gives some of them, before or after the list does.
        seen.push(...ids(offered.splice(0).filter((each) => tail.take(each))))
      } while (pending.length > 0)
      seen.push(...ids(await tail.look()))
      t.equal(new Set(seen).size, seen.length)
      t.equal(seen.length, nextId)
    }),
  )
})
