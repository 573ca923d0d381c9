import t from 'tap'
import { BACKLOG_BYTES_MIN, createBatcher } from '../../../../gateway/workers/batcher.ts'

type Sent = {
  items: readonly number[]
  answer: (answers?: number[]) => void
  fail: (e: Error) => void
}

function setUp(
  bounds: {
    slots?: number
    fullSlots?: number
    weightMax?: number
    batchBytesMax?: number
    waitingBytesMax?: number
    elsewhere?: (item: number, submittedAt: number) => Promise<number> | undefined
  } = {},
) {
  const sent: Sent[] = []
  const time = { now: 0 }
  let deferred: (() => void)[] = []
  const batcher = createBatcher<number, number>({
    send: (items) =>
      new Promise((resolve, reject) => {
        sent.push({
          items,
          answer: (answers) => resolve(answers ?? items.map((item) => item * 10)),
          fail: reject,
        })
      }),
    slots: () => bounds.slots ?? 1,
    fullSlots: bounds.fullSlots ?? bounds.slots ?? 1,
    weightMax: bounds.weightMax ?? 100,
    batchBytesMax: bounds.batchBytesMax ?? 1_000,
    waitingBytesMax: bounds.waitingBytesMax ?? 10_000,
    waitMsMax: 1_000,
    elsewhere: bounds.elsewhere ?? (() => undefined),
    defer: (run) => deferred.push(run),
    now: () => time.now,
  })
  const tick = () => {
    const runs = deferred
    deferred = []
    for (const run of runs) run()
  }
  return { batcher, sent, tick, time }
}

t.test('a full batcher refuses at once and sends what it holds', async (t) => {
  const { batcher, sent, tick } = setUp({ waitingBytesMax: 100 })
  const held = batcher.submit(1, 80)
  await t.rejects(batcher.submit(2, 30), { code: 'resource_exhausted', detail: { retryAfterS: 1 } })
  tick()
  sent[0]?.answer()
  t.equal(await held, 10)
  t.strictSame(batcher.waiting(), { items: 0, bytes: 0 })
})

t.test('a call of a backlog that has waited for too long is refused and never sent', async (t) => {
  const { batcher, sent, tick, time } = setUp({
    weightMax: 1,
    batchBytesMax: BACKLOG_BYTES_MIN,
    waitingBytesMax: 10 * BACKLOG_BYTES_MIN,
  })
  const first = batcher.submit(1, 1)
  tick()
  const late = [2, 3].map((item) => batcher.submit(item, BACKLOG_BYTES_MIN / 2 + 1))
  time.now = 600
  const inTime = [4, 5].map((item) => batcher.submit(item, BACKLOG_BYTES_MIN / 2 + 1))
  time.now = 1_100
  sent[0]?.answer()
  t.equal(await first, 10)
  for (const each of late) {
    await t.rejects(each, { code: 'resource_exhausted', detail: { retryAfterS: 1 } })
  }
  t.strictSame(sent[1]?.items, [4])
  sent[1]?.answer()
  t.equal(await inTime[0], 40)
  time.now = 5_000
  t.strictSame(sent[2]?.items, [5], 'what is no backlog any more is sent')
  sent[2]?.answer()
  t.equal(await inTime[1], 50)
  t.strictSame(batcher.waiting(), { items: 0, bytes: 0 })
})

t.test('a batcher that has refused all it held is drained', async (t) => {
  const { batcher, sent, tick, time } = setUp({ waitingBytesMax: 9 * BACKLOG_BYTES_MIN })
  const first = batcher.submit(1, 1)
  tick()
  const late = batcher.submit(2, 2 * BACKLOG_BYTES_MIN)
  const drained = batcher.drained()
  time.now = 1_100
  sent[0]?.answer()
  t.equal(await first, 10)
  await t.rejects(late, { code: 'resource_exhausted' })
  await drained
  t.equal(sent.length, 1)
})

t.test('however long little has waited, it is sent', async (t) => {
  const { batcher, sent, tick, time } = setUp({ waitingBytesMax: 2 * BACKLOG_BYTES_MIN })
  const first = batcher.submit(1, 1)
  tick()
  const second = batcher.submit(2, BACKLOG_BYTES_MIN)
  time.now = 60_000
  sent[0]?.answer()
  await first
  sent[1]?.answer()
  t.equal(await second, 20)
})

t.test('an item above every bound still travels, alone', async (t) => {
  const { batcher, sent, tick } = setUp({ batchBytesMax: 10, waitingBytesMax: 20 })
  const large = batcher.submit(1, 50)
  tick()
  t.strictSame(sent[0]?.items, [1])
  sent[0]?.answer()
  t.equal(await large, 10)
})

t.test('a failed call fails all of its items and frees the slot', async (t) => {
  const { batcher, sent, tick } = setUp()
  const items = [batcher.submit(1, 1), batcher.submit(2, 1)]
  tick()
  const later = batcher.submit(3, 1)
  sent[0]?.fail(new Error('gone'))
  for (const item of items) await t.rejects(item, { message: 'gone' })
  t.strictSame(sent[1]?.items, [3], 'the freed slot takes what waited')
  sent[1]?.answer()
  t.equal(await later, 30)
})

t.test('too few answers are an error, never a wrong answer', async (t) => {
  const { batcher, sent, tick } = setUp()
  const items = [batcher.submit(1, 1), batcher.submit(2, 1)]
  tick()
  sent[0]?.answer([10])
  for (const item of items) await t.rejects(item, { code: 'internal' })
})

t.test(
  'calls of one turn are sent together, and more of them while the slots are busy',
  async (t) => {
    const { batcher, sent, tick } = setUp({ slots: 1 })
    const first = [batcher.submit(1, 1), batcher.submit(2, 1)]
    t.equal(sent.length, 0, 'nothing goes out before the turn ends')
    tick()
    const second = [batcher.submit(3, 1), batcher.submit(4, 1), batcher.submit(5, 1)]
    tick()
    t.equal(sent.length, 1)
    sent[0]?.answer()
    t.strictSame(await Promise.all(first), [10, 20])
    t.strictSame(sent[1]?.items, [3, 4, 5])
    sent[1]?.answer()
    t.strictSame(await Promise.all(second), [30, 40, 50])
  },
)

t.test('a batch keeps its bounds of weight and bytes, and the order', async (t) => {
  const { batcher, sent, tick } = setUp({ slots: 3, weightMax: 4, batchBytesMax: 10 })
  for (const [item, bytes, weight] of [
    [1, 1, 3],
    [2, 1, 1],
    [3, 6, 1],
    [4, 6, 1],
  ] as const) {
    batcher.submit(item, bytes, weight).catch(() => t.fail('never fails here'))
  }
  tick()
  t.strictSame(
    sent.map(({ items }) => items),
    [[1, 2], [3], [4]],
  )
  for (const { answer } of sent) answer()
  await batcher.drained()
  t.equal(batcher.inFlight(), 0)
})

t.test('a full batch does not wait for a slot, up to a bound', async (t) => {
  const { batcher, sent, tick } = setUp({ slots: 1, fullSlots: 3, weightMax: 2 })
  const answers = [1, 2, 3, 4, 5, 6, 7].map((item) => batcher.submit(item, 1))
  tick()
  t.strictSame(
    sent.map(({ items }) => items),
    [
      [1, 2],
      [3, 4],
      [5, 6],
    ],
  )
  sent[0]?.answer()
  await answers[0]
  t.equal(sent.length, 3, 'the rest is not full and waits for the usual slot')
  sent[1]?.answer()
  sent[2]?.answer()
  await answers[5]
  t.strictSame(sent[3]?.items, [7])
  sent[3]?.answer()
  t.strictSame(await Promise.all(answers), [10, 20, 30, 40, 50, 60, 70])
})

t.test('without another worker a rescue changes nothing', async (t) => {
  const { batcher, sent, tick } = setUp()
  const items = [batcher.submit(1, 1)]
  tick()
  items.push(batcher.submit(2, 1))
  batcher.rescue(Number.POSITIVE_INFINITY)
  t.strictSame(batcher.waiting(), { items: 1, bytes: 1 })
  sent[0]?.answer()
  await items[0]
  sent[1]?.answer()
  t.strictSame(await Promise.all(items), [10, 20])
})

t.test('a waiting call is taken to another worker, and fails as it does there', async (t) => {
  const { batcher, sent, tick } = setUp({
    elsewhere: (item) => (item === 2 ? Promise.reject(new Error('there too')) : undefined),
  })
  const first = batcher.submit(1, 1)
  tick()
  const second = batcher.submit(2, 50, 7)
  batcher.rescue(-1)
  await t.rejects(second, { message: 'there too' })
  t.strictSame(batcher.waiting(), { items: 0, bytes: 0 })
  sent[0]?.answer()
  t.equal(await first, 10, 'sent too late for a rescue')
  await batcher.drained()
  t.equal(sent.length, 1)
})

t.test('only batches sent early enough are moved to another worker, each item once', async (t) => {
  const asked: number[][] = []
  const { batcher, sent, tick, time } = setUp({
    slots: 2,
    elsewhere: (item, submittedAt) => {
      asked.push([item, submittedAt])
      return item === 1 && asked.length === 1 ? undefined : Promise.resolve(item * 100)
    },
  })
  time.now = 5
  const early = [batcher.submit(1, 1), batcher.submit(3, 1)]
  tick()
  time.now = 9
  const later = batcher.submit(2, 1)
  tick()
  batcher.rescue(5)
  t.equal(await early[1], 300)
  batcher.rescue(5)
  batcher.rescue(5)
  t.equal(await early[0], 100)
  t.strictSame(asked, [
    [1, 5],
    [3, 5],
    [1, 5],
  ])
  sent[1]?.answer()
  t.equal(await later, 20)
  sent[0]?.fail(new Error('long gone'))
  await batcher.drained()
})
