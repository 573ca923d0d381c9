import t from 'tap'
import type { Member } from '../../../../cluster/members/view.ts'
import { NotOwnerError } from '../../../../cluster/shards/not-owner.ts'
import { AppError } from '../../../../src/core/code.ts'
import { shardId } from '../../../../src/core/ids.ts'
import { withForwarding } from '../../../../src/rpc/cluster/forward.ts'
import type { CallContext, Handler } from '../../../../src/wire/call.ts'
import { NoAnswerError } from '../../../../src/wire/no-answer.ts'
import { createTestCallers, memberOf } from '../../../support/cluster/members.ts'
import { createFakeClock } from '../../../support/fake-clock.ts'

const PATH = '/sluice.v1.ProjectService/UpdateProject'
const REQUEST = { id: '1', name: 'one' }

function setUp(handler: Handler<object, object>, answer?: Parameters<typeof createTestCallers>[0]) {
  const clock = createFakeClock()
  const callers = createTestCallers(answer)
  const callerOf = ({ address }: Member) => callers.connect(address)
  const forwarding = withForwarding(PATH, handler, { self: 'w1', callerOf, clock })
  return { clock, forwarding, ...callers }
}

function contextOf(metadata: Record<string, string> = {}, more: Partial<CallContext> = {}) {
  const { signal } = new AbortController()
  return { metadata: new Map(Object.entries(metadata)), signal, timeoutMs: 5_000, ...more }
}

function notOwner(owner: Member | undefined = memberOf('w2')): Handler<object, object> {
  return async () => {
    throw new NotOwnerError(shardId(7), owner)
  }
}

t.test('a call that a handler answers or refuses by itself is not passed on', async (t) => {
  const answered = setUp(async () => ({ name: 'here' }))
  t.same(await answered.forwarding(REQUEST, contextOf()), { name: 'here' })
  const failed = setUp(async () => {
    throw new AppError('fenced', 'a newer owner, of what nobody knows')
  })
  await t.rejects(failed.forwarding(REQUEST, contextOf()), { code: 'fenced' })
  t.same([...answered.calls, ...failed.calls], [])
})

t.test('without another owner the refusal goes out, with what hint there is', async (t) => {
  const nobody = setUp(async () => {
    throw new NotOwnerError(shardId(7), undefined)
  })
  const code = 'not_owner'
  await t.rejects(nobody.forwarding(REQUEST, contextOf()), { code, ownerHint: undefined })
  const itself = setUp(notOwner(memberOf('w1')))
  await t.rejects(itself.forwarding(REQUEST, contextOf()), { code, ownerHint: 'w1:8001' })
  t.same([...nobody.calls, ...itself.calls], [])
})

t.test('a call is passed on twice and no more', async (t) => {
  const { forwarding, calls } = setUp(notOwner())
  for (const hops of ['2', '3', '9']) {
    const call = forwarding(REQUEST, contextOf({ 'x-sluice-hops': hops }))
    await t.rejects(call, { code: 'not_owner', ownerHint: 'w2:8001' })
  }
  t.same(calls, [])
  await forwarding(REQUEST, contextOf({ 'x-sluice-hops': '1' }))
  t.equal(calls[0]?.options.metadata['x-sluice-hops'], '2')
  // Text that no product of ours has written.
  for (const hops of ['-1', 'x', '1e9', '']) {
    await forwarding(REQUEST, contextOf({ 'x-sluice-hops': hops }))
    t.equal(calls.at(-1)?.options.metadata['x-sluice-hops'], '1')
  }
})

t.test('a caller who has left, or has no time left, gets no second call', async (t) => {
  const late = setUp(async () => {
    await late.clock.advance(5_000)
    throw new NotOwnerError(shardId(7), memberOf('w2'))
  })
  await t.rejects(late.forwarding(REQUEST, contextOf()), { code: 'not_owner' })
  const { forwarding, calls } = setUp(notOwner())
  const left = contextOf({}, { signal: AbortSignal.abort() })
  await t.rejects(forwarding(REQUEST, left), { code: 'not_owner' })
  t.same([...late.calls, ...calls], [])
})

t.test('the owner is asked the same, in the name of the same, for the time left', async (t) => {
  const request = { ...REQUEST }
  const asked = setUp(
    async () => {
      await asked.clock.advance(2_000)
      throw new NotOwnerError(shardId(7), memberOf('w2'))
    },
    async () => ({ name: 'there' }),
  )
  const context = contextOf({
    authorization: 'Bearer phx_1',
    'x-sluice-body-error': 'e30',
    'user-agent': 'grpc-node-js/1',
    'grpc-accept-encoding': 'identity',
    'content-type': 'application/grpc',
  })
  t.same(await asked.forwarding(request, context), { name: 'there' })
  t.equal(asked.calls.length, 1)
  const [call] = asked.calls
  t.equal(call?.address, 'w2:8001')
  t.equal(call?.method, PATH)
  t.equal(call?.request, request)
  t.same(call?.options, {
    metadata: {
      authorization: 'Bearer phx_1',
      'x-sluice-body-error': 'e30',
      'x-sluice-hops': '1',
    },
    timeoutMs: 3_000,
    signal: context.signal,
  })
})

t.test("the owner's answer is passed on as it is", async (t) => {
  const detail = { type: 'validation_error', code: 'unique', detail: 'Taken.', attr: 'key' }
  const { forwarding } = setUp(notOwner(), async () => {
    throw new AppError('invalid_argument', 'taken', { detail })
  })
  await t.rejects(forwarding(REQUEST, contextOf()), { code: 'invalid_argument', detail })
})

t.test('an owner that was not reached had no effect; one that was silent may have', async (t) => {
  const failing = (sent: boolean) =>
    setUp(notOwner(), async () => {
      throw new NoAnswerError('unavailable', 'no answer', { sent })
    })
  const unreached = failing(false).forwarding(REQUEST, contextOf())
  await t.rejects(unreached, { code: 'not_owner', ownerHint: 'w2:8001' })
  const silent = await failing(true)
    .forwarding(REQUEST, contextOf())
    .catch((error) => error)
  t.match(silent, { code: 'unavailable' })
  t.notOk(silent instanceof NoAnswerError, 'it is what this worker answers')
})
