/** Captures that a gateway takes and refuses when more come than it answers. */
import t from 'tap'
import { Admission } from '../../../../gateway/admission/admission.ts'
import type { HttpReply } from '../../../../gateway/http/http-server.ts'
import { Refusals } from '../../../../gateway/http/refusals.ts'
import { createFakeClock } from '../../../support/fake-clock.ts'

/** A gateway whose workers answer when the test says so, the oldest first. */
function createGateway() {
  const clock = createFakeClock()
  const admission = new Admission(clock, new Refusals(clock), () => 0.5)
  const open: ((reply: HttpReply) => void)[] = []
  const take = (sender = 'a') => {
    const answer = admission.take(
      () => sender,
      () => new Promise<HttpReply>((resolve) => open.push(resolve)),
    )
    return answer !== undefined
  }
  const turn = () => new Promise<void>((resolve) => setImmediate(resolve))
  return {
    clock,
    admission,
    take,
    /** How many of `count` captures are taken. */
    takes: (count: number, sender?: string) =>
      Array.from({ length: count }, () => take(sender)).filter(Boolean).length,
    answer: async (count: number, status = 200) => {
      while (open.length < count && admission.figures().inFlight > open.length) await turn()
      for (const resolve of open.splice(0, count)) resolve({ status, body: '' })
      await turn()
    },
  }
}
type Gateway = ReturnType<typeof createGateway>

/** Three times as many captures as the 1,000 a second that are answered. */
async function overload({ clock, takes, answer }: Gateway, seconds: number) {
  let taken = 0
  for (let tick = 0; tick < seconds * 20; tick += 1) {
    taken += takes(150)
    await clock.advance(50)
    await answer(50)
  }
  return taken
}

t.test('a burst out of the calm is taken whole', async (t) => {
  const { takes, admission } = createGateway()
  t.equal(takes(1_000), 1_000)
  t.equal(takes(500), 0, 'and no more than that')
  t.match(admission.figures(), { inFlight: 1_000, refused: 500 })
})

t.test('a burst of as many as were answered in the last second is taken', async (t) => {
  const { clock, takes, answer } = createGateway()
  for (let tick = 0; tick < 40; tick += 1) {
    takes(200)
    await clock.advance(50)
    await answer(200)
  }
  t.ok(takes(10_000) >= 3_600, 'of 4,000 a second')
})

t.test('under a load that lasts what is taken waits for less than half a second', async (t) => {
  const gateway = createGateway()
  await overload(gateway, 5)
  const { inFlight, isLate, limit } = gateway.admission.figures()
  t.ok(isLate)
  t.ok(limit <= 500 && limit >= 400, `${limit} at 1,000 a second`)
  t.ok(inFlight <= 550, `${inFlight} in flight`)
  const taken = await overload(gateway, 5)
  t.ok(taken >= 4_800 && taken <= 5_300, `as many are taken as answered: ${taken} of 5,000`)
})

t.test('it is calm again a second after the last refusal', async (t) => {
  const gateway = createGateway()
  await overload(gateway, 5)
  await gateway.answer(10_000)
  await gateway.clock.advance(1_200)
  t.equal(gateway.admission.figures().isLate, false)
  t.equal(gateway.takes(1_000), 1_000)
})

t.test('while nothing is answered the rate refuses nobody', async (t) => {
  const { clock, takes, answer } = createGateway()
  takes(100)
  await clock.advance(50)
  await answer(100)
  takes(900)
  await clock.advance(800)
  t.equal(takes(5_000), 5_000, 'a store that stands still is judged elsewhere')
})

t.test('waiting for a store that stood still says nothing of the rate', async (t) => {
  const { clock, takes, admission, answer } = createGateway()
  takes(900)
  await clock.advance(2_000)
  await answer(900)
  await clock.advance(200)
  t.equal(admission.figures().isLate, false)
  takes(10)
  await clock.advance(600)
  await answer(10)
  await clock.advance(200)
  t.equal(admission.figures().isLate, true, 'what was taken after it does')
})

t.test('a sender below its share is taken beside one that fills the bound', async (t) => {
  const { takes, admission } = createGateway()
  takes(2_000, 'flood')
  t.equal(takes(50, 'small'), 50)
  t.equal(takes(10, 'flood'), 0)
  // Captures whose sender was not looked up count as one more sender.
  t.equal(takes(2_000, 'small'), 117, 'up to half of its equal share')
  t.match(admission.figures(), { inFlight: 1_167 })
  for (let other = 0; other < 50; other += 1) takes(1_000, `other ${other}`)
  t.ok(admission.figures().inFlight <= 2_000, 'never beyond twice the bound')
})

t.test(
  'a sender below its share is taken however much another one holds after a stall',
  async (t) => {
    const { clock, takes, answer } = createGateway()
    takes(100, 'flood')
    await clock.advance(1_000)
    t.equal(takes(5_000, 'flood'), 5_000, 'while nothing is answered')
    await answer(100)
    t.equal(takes(100, 'flood'), 0)
    t.equal(takes(100, 'small'), 100)
    for (let other = 0; other < 50; other += 1) takes(1_000, `other ${other}`)
    t.equal(takes(1, 'late'), 0, 'up to the bound once more')
  },
)

t.test('a store whose commits take long is not held for one that is full', async (t) => {
  const { clock, takes, answer } = createGateway()
  const taken: number[] = []
  let stored = 0
  // 2,000 a second, first answered at once, then each after 750 ms: 1,500 in flight.
  for (let tick = 0; tick < 900; tick += 1) {
    taken.push(takes(100))
    await clock.advance(50)
    const count = (tick < 100 ? taken[tick] : taken[tick - 15]) ?? 0
    if (tick >= 115 || tick < 100) await answer(count)
    if (tick >= 500) stored += count
  }
  t.ok(stored >= 36_000, `${stored} of 40,000 in the last 20 s`)
})

t.test('a request refused for its content says nothing of the rate', async (t) => {
  const { clock, takes, answer, admission } = createGateway()
  for (let tick = 0; tick < 20; tick += 1) {
    takes(500)
    await clock.advance(50)
    await answer(500, 400)
  }
  t.match(admission.figures(), { inFlight: 0, limit: 1_000 })
})

t.test(
  'a request that waits for bounds of its own leaves the count, and its wait too',
  async (t) => {
    const { clock, admission, takes, answer } = createGateway()
    const ends: ((reply: HttpReply) => void)[] = []
    const answers = Array.from({ length: 100 }, () =>
      admission.take(
        () => 'a',
        (leave) => {
          leave()
          return new Promise<HttpReply>((resolve) => ends.push(resolve))
        },
      ),
    )
    await new Promise((resolve) => setImmediate(resolve))
    await new Promise((resolve) => setImmediate(resolve))
    t.equal(admission.figures().inFlight, 0)
    for (let tick = 0; tick < 40; tick += 1) {
      takes(10)
      await clock.advance(50)
      await answer(10)
    }
    for (const end of ends) end({ status: 200, body: '' })
    await Promise.all(answers)
    await clock.advance(100)
    t.match(admission.figures(), { inFlight: 0, isLate: false })
  },
)

t.test('the place of an immediate failure is given back', async (t) => {
  const { admission } = createGateway()
  const fail = () => {
    throw new Error('a defect')
  }
  t.throws(() => admission.take(() => 'a', fail), /a defect/)
  const reply = { status: 400, body: '' }
  t.equal(
    admission.take(
      () => 'a',
      () => reply,
    ),
    reply,
  )
  await t.rejects(
    admission.take(
      () => 'a',
      () => Promise.reject(new Error('later')),
    ) as Promise<never>,
  )
  t.equal(admission.figures().inFlight, 0)
})

t.test('a refusal waits for a moment and says when to come again', async (t) => {
  const { clock, admission } = createGateway()
  let told: number | undefined
  const telling = admission.refused().then((seconds) => {
    told = seconds
  })
  await clock.advance(90)
  t.equal(told, undefined)
  await clock.advance(40)
  await telling
  t.equal(told, 3)
})
