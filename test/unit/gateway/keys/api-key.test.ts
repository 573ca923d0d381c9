import t from 'tap'
import { createKeyResolver } from '../../../../gateway/keys/api-key.ts'
import type { KeyAnswer__Output } from '../../../../proto/gen/sluice/v1/KeyAnswer.ts'
import type { ProjectChange } from '../../../../src/core/change-feed.ts'
import { AppError } from '../../../../src/core/code.ts'
import { projectId, revision } from '../../../../src/core/ids.ts'
import { createFakeClock } from '../../../support/fake-clock.ts'

const NOTHING_LACKS = {
  lacks_event_write: false,
  lacks_feature_flag_read: false,
  is_personal: false,
}

function known(id: number, newest = 7): KeyAnswer__Output {
  const project = {
    id,
    revision: newest,
    anonymize_ips: false,
    api_token: 'phc_a',
    has_flags: true,
    has_plugins: false,
    capture_performance: false,
    session_recording: null,
  }
  return { kind: 'KEY_KIND_PROJECT', project, ...NOTHING_LACKS }
}

function setUp(answer: (token: string) => KeyAnswer__Output | Promise<KeyAnswer__Output>) {
  const asked: string[] = []
  let listener: (change: ProjectChange) => void = () => undefined
  const state = { fresh: true }
  const clock = createFakeClock()
  const resolver = createKeyResolver({
    clock,
    feed: {
      fresh: () => state.fresh,
      subscribe(each) {
        listener = each
        return () => undefined
      },
    },
    ask: async ({ token }) => {
      asked.push(token)
      return answer(token)
    },
  })
  return { resolver, asked, state, clock, tell: (change: ProjectChange) => listener(change) }
}

const KEY = { token: 'phc_a', projectId: undefined }

t.test('an unknown key is remembered as unknown until a change of keys', async (t) => {
  const { resolver, tell } = setUp(() => ({
    kind: 'KEY_KIND_UNKNOWN',
    project: null,
    ...NOTHING_LACKS,
  }))
  t.strictSame(await resolver.resolve(KEY), { kind: 'unknown' })
  t.strictSame(resolver.peek(KEY), { kind: 'unknown' })
  tell({ kind: 'keys' })
  t.equal(resolver.peek(KEY), undefined)
})

t.test('a wrong personal key is told apart from an unknown one', async (t) => {
  const { resolver } = setUp(() => ({
    kind: 'KEY_KIND_INVALID_PERSONAL',
    project: null,
    ...NOTHING_LACKS,
  }))
  const question = { token: 'phx_a', projectId: 1 }
  t.strictSame(await resolver.resolve(question), { kind: 'invalid_personal' })
  t.equal(resolver.peek({ token: 'phx_a', projectId: 2 }), undefined, 'the project is part of it')
})

t.test('a cache cut off from the feed is not used', async (t) => {
  const { resolver, state } = setUp(() => known(1))
  await resolver.resolve(KEY)
  state.fresh = false
  t.equal(resolver.peek(KEY), undefined)
  state.fresh = true
  t.match(resolver.peek(KEY), { kind: 'project', project: { id: 1 } })
})

t.test('changes of a project void its entries and no others', async (t) => {
  const { resolver, tell } = setUp((token) => known(token === 'phc_a' ? 1 : 2))
  await resolver.resolve(KEY)
  await resolver.resolve({ token: 'phc_b', projectId: undefined })
  tell({ kind: 'revision', projectId: projectId(1), revision: revision(8) })
  t.equal(resolver.peek(KEY), undefined)
  t.match(resolver.peek({ token: 'phc_b', projectId: undefined }), { kind: 'project' })
})

/** A resolver whose first question is answered when the test says so; later ones fail. */
function heldAnswer() {
  let answer: (value: KeyAnswer__Output) => void = () => undefined
  let isFirst = true
  const world = setUp(() => {
    if (!isFirst) throw new AppError('unavailable', 'no answer')
    isFirst = false
    return new Promise((resolve) => {
      answer = resolve
    })
  })
  return { ...world, answer: () => answer(known(1)) }
}

t.test('an answer asked for before a change of its project is void when it comes', async (t) => {
  const { resolver, tell, answer } = heldAnswer()
  const asked = resolver.resolve(KEY)
  await Promise.resolve()
  tell({ kind: 'revision', projectId: projectId(1), revision: revision(8) })
  answer()
  t.match(await asked, { kind: 'project' })
  t.equal(resolver.peek(KEY), undefined, 'it is asked again')
  t.match(
    await resolver.resolve(KEY),
    { kind: 'project', project: { id: 1, revision: 0 } },
    'and serves while nobody can say more',
  )
})

t.test('changes of other projects do not keep a key from being remembered', async (t) => {
  const { resolver, tell, answer } = heldAnswer()
  const asked = resolver.resolve(KEY)
  await Promise.resolve()
  tell({ kind: 'revision', projectId: projectId(2), revision: revision(8) })
  answer()
  await asked
  t.match(resolver.peek(KEY), { kind: 'project', project: { id: 1, revision: 7 } })
})

t.test('an answer asked for before a change of keys is void when it comes', async (t) => {
  const { resolver, tell, answer } = heldAnswer()
  const asked = resolver.resolve(KEY)
  await Promise.resolve()
  tell({ kind: 'keys' })
  answer()
  await asked
  t.equal(resolver.peek(KEY), undefined)
})

t.test('an answer that comes after a later one does not take its place', async (t) => {
  const answers: ((value: KeyAnswer__Output) => void)[] = []
  const { resolver, tell } = setUp(() => new Promise((resolve) => answers.push(resolve)))
  const early = resolver.resolve(KEY)
  await Promise.resolve()
  tell({ kind: 'revision', projectId: projectId(1), revision: revision(8) })
  const late = resolver.resolve(KEY)
  await Promise.resolve()
  answers[1]?.(known(1, 8))
  await late
  answers[0]?.(known(1))
  await early
  t.match(resolver.peek(KEY), { kind: 'project', project: { revision: 8 } })
})

t.test('many requests with one key ask once', async (t) => {
  const { resolver, asked } = setUp(() => known(1))
  await Promise.all([resolver.resolve(KEY), resolver.resolve(KEY), resolver.resolve(KEY)])
  t.strictSame(asked, ['phc_a'])
})

t.test('a failed question is asked again by the next request', async (t) => {
  let failing = true
  const { resolver } = setUp(() => {
    if (failing) throw new Error('nobody answers')
    return known(1)
  })
  await t.rejects(resolver.resolve(KEY))
  failing = false
  t.match(await resolver.resolve(KEY), { kind: 'project' })
})

t.test('a key that is void serves only while nobody can say more, and not for ever', async (t) => {
  const state: { answer: () => KeyAnswer__Output } = { answer: () => known(1) }
  const { resolver, tell, clock } = setUp(() => state.answer())
  await resolver.resolve(KEY)
  tell({ kind: 'keys' })
  t.equal(resolver.peek(KEY), undefined, 'it is asked again')
  const fail = (code: 'unavailable' | 'internal') => () => {
    throw new AppError(code, 'no answer')
  }
  state.answer = fail('internal')
  await t.rejects(resolver.resolve(KEY), { code: 'internal' })
  state.answer = fail('unavailable')
  t.match(
    await resolver.resolve(KEY),
    { kind: 'project', project: { id: 1, revision: 0 } },
    'of no revision, so that no answer kept under an old one is used',
  )
  t.equal(resolver.peek(KEY), undefined, 'and the next one asks too')
  await t.rejects(resolver.resolve({ token: 'phc_b', projectId: undefined }), {
    code: 'unavailable',
  })
  await clock.advance(600_001)
  await t.rejects(resolver.resolve(KEY), { code: 'unavailable' })
  state.answer = () => ({ kind: 'KEY_KIND_UNKNOWN', project: null, ...NOTHING_LACKS })
  t.strictSame(await resolver.resolve(KEY), { kind: 'unknown' })
  state.answer = fail('unavailable')
  tell({ kind: 'keys' })
  await t.rejects(resolver.resolve(KEY), { code: 'unavailable' }, 'a key known to be gone')
})

t.test('changes of a project void its keys and no others', async (t) => {
  const { resolver, tell } = setUp((token) => known(token === 'phc_a' ? 1 : 2))
  const other = { token: 'phc_b', projectId: undefined }
  await resolver.resolve(KEY)
  await resolver.resolve(other)
  tell({ kind: 'revision', projectId: projectId(1), revision: revision(8) })
  t.equal(resolver.peek(KEY), undefined)
  t.match(resolver.peek(other), { kind: 'project', project: { id: 2 } })
  await resolver.resolve(KEY)
  t.match(resolver.peek(KEY), { kind: 'project' }, 'asked again, it is remembered again')
})

t.test('a key that is known to be gone does not come back while nobody can say more', async (t) => {
  const state: { answer: () => KeyAnswer__Output } = { answer: () => known(1) }
  const { resolver, tell } = setUp(() => state.answer())
  await resolver.resolve(KEY)
  tell({ kind: 'keys' })
  state.answer = () => ({ kind: 'KEY_KIND_UNKNOWN', project: null, ...NOTHING_LACKS })
  t.strictSame(await resolver.resolve(KEY), { kind: 'unknown' })
  t.strictSame(resolver.peek(KEY), { kind: 'unknown' })
  tell({ kind: 'keys' })
  state.answer = () => {
    throw new AppError('unavailable', 'no answer')
  }
  await t.rejects(resolver.resolve(KEY), { code: 'unavailable' }, 'though it was known just now')
})

const PERSONAL = { token: 'phx_a', projectId: 1 }

t.test(
  'a key that expires is asked for again, and serves no more while nobody answers',
  async (t) => {
    let isAway = false
    const { resolver, asked, clock } = setUp(() => {
      if (isAway) throw new AppError('unavailable', 'away')
      return { ...known(1), expires_in_ms: 500 }
    })
    await resolver.resolve(PERSONAL)
    await clock.advance(499)
    t.match(resolver.peek(PERSONAL), { kind: 'project' })
    isAway = true
    t.match(await resolver.resolve(PERSONAL), { kind: 'project' })
    await clock.advance(1)
    t.equal(resolver.peek(PERSONAL), undefined)
    await t.rejects(resolver.resolve(PERSONAL), { code: 'unavailable' })
    t.equal(asked.length, 3)
  },
)

t.test(
  'a personal key that may have been revoked serves no more while nobody answers',
  async (t) => {
    let isAway = false
    const { resolver, tell } = setUp(() => {
      if (isAway) throw new AppError('unavailable', 'away')
      return known(1)
    })
    await resolver.resolve(PERSONAL)
    await resolver.resolve(KEY)
    isAway = true
    t.match(await resolver.resolve(PERSONAL), { kind: 'project' })
    tell({ kind: 'keys' })
    await t.rejects(resolver.resolve(PERSONAL), { code: 'unavailable' })
    t.match(await resolver.resolve(KEY), { kind: 'project' }, 'a project key is no secret')
  },
)

t.test(
  'a personal key that found its project by itself is held to the rules of its kind',
  async (t) => {
    let isAway = false
    const { resolver, tell } = setUp(() => {
      if (isAway) throw new AppError('unavailable', 'away')
      return { ...known(1), is_personal: true }
    })
    const alone = { token: 'phx_a', projectId: undefined }
    t.match(await resolver.resolve(alone), { kind: 'project', isPersonal: true })
    t.match(resolver.peek(alone), { kind: 'project', isPersonal: true })
    isAway = true
    tell({ kind: 'keys' })
    await t.rejects(resolver.resolve(alone), { code: 'unavailable' }, 'it may have been revoked')
  },
)

t.test('a key without one project is remembered until a change of keys, or its end', async (t) => {
  const { resolver, asked, tell, clock } = setUp(() => ({
    kind: 'KEY_KIND_UNDETERMINED',
    project: null,
    expires_in_ms: 500,
    ...NOTHING_LACKS,
  }))
  const alone = { token: 'phx_a', projectId: undefined }
  t.strictSame(await resolver.resolve(alone), { kind: 'undetermined' })
  t.strictSame(resolver.peek(alone), { kind: 'undetermined' })
  tell({ kind: 'keys' })
  t.equal(resolver.peek(alone), undefined)
  await resolver.resolve(alone)
  await clock.advance(499)
  t.strictSame(resolver.peek(alone), { kind: 'undetermined' })
  await clock.advance(1)
  t.equal(resolver.peek(alone), undefined, 'by now it is no key at all')
  t.equal(asked.length, 2)
})
