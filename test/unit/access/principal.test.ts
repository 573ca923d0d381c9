import t from 'tap'
import { makePersonalKey } from '../../../src/access/keys.ts'
import {
  AUTH_CACHE_MAX,
  AUTH_CACHE_STALE_MS,
  createAuthenticator,
} from '../../../src/access/principal.ts'
import { AppError } from '../../../src/core/code.ts'
import { userId } from '../../../src/core/ids.ts'
import { silentLog as log } from '../../../src/core/log.ts'
import { createFakeClock } from '../../support/fake-clock.ts'

type Options = { usedSecondsAgo?: number | null; isKnown?: boolean; expiresInMs?: number }

function setUp(options: Options = {}) {
  const clock = createFakeClock()
  const state = { asked: 0, touched: 0, isKnown: options.isKnown ?? true }
  const key = {
    keyId: 'k',
    userId: userId(7),
    isStaff: false,
    scopes: ['*'],
    scopedProjects: [],
    scopedOrganizations: [],
    usedSecondsAgo: options.usedSecondsAgo ?? null,
    expiresAt: null,
    expiresInMs: options.expiresInMs ?? null,
  }
  const authenticator = createAuthenticator({
    findSession: async () => undefined,
    touchSession: async () => {},
    findKey: async () => {
      state.asked++
      return state.isKnown ? key : undefined
    },
    touchKey: async () => {
      state.touched++
    },
    clock,
    log,
  })
  return { authenticator, clock, state }
}

const bearer = (value: string) => ({
  get: (name: string) => (name === 'authorization' ? value : undefined),
})

async function codeOf(call: Promise<unknown>): Promise<string | undefined> {
  return await call.then(
    () => 'accepted',
    (error: unknown) => (error instanceof AppError ? error.detail?.code : String(error)),
  )
}

t.test('a header without a key is not authenticated, and nothing is looked up', async (t) => {
  const { authenticator, state } = setUp()
  for (const value of ['', 'Bearer', 'Bearer   ', 'Basic abcdefgh', 'phx_without_scheme']) {
    t.equal(await codeOf(authenticator.authenticate(bearer(value))), 'not_authenticated', value)
  }
  t.equal(state.asked, 0)
})

t.test('a text that can be no key is invalid without a look-up', async (t) => {
  const { authenticator, state } = setUp()
  for (const value of ['x', 'phc_a_project_token', 'two words', 'x'.repeat(500)]) {
    const code = await codeOf(authenticator.authenticate(bearer(`Bearer ${value}`)))
    t.equal(code, 'invalid_personal_api_key')
  }
  t.equal(state.asked, 0)
})

t.test('scheme and spaces are read tolerantly', async (t) => {
  const { authenticator } = setUp()
  for (const scheme of ['Bearer ', 'bearer  ', ' BEARER\t']) {
    const credentials = bearer(`${scheme}${makePersonalKey()}  `)
    t.equal((await authenticator.authenticate(credentials)).userId, 7)
  }
})

t.test('an unknown key is asked for each time, so that a new one works at once', async (t) => {
  const { authenticator, state } = setUp({ isKnown: false })
  const credentials = bearer(`Bearer ${makePersonalKey()}`)
  for (let call = 1; call <= 3; call++) {
    t.equal(await codeOf(authenticator.authenticate(credentials)), 'invalid_personal_api_key')
    t.equal(state.asked, call)
  }
})

t.test('a known key is asked for once a second, and anew after a change of keys', async (t) => {
  const { authenticator, clock, state } = setUp()
  const credentials = bearer(`Bearer ${makePersonalKey()}`)
  const call = () => authenticator.authenticate(credentials)
  await call()
  await clock.advance(AUTH_CACHE_STALE_MS - 1)
  await call()
  t.equal(state.asked, 1)
  await clock.advance(1)
  await call()
  t.equal(state.asked, 2)
  state.isKnown = false
  authenticator.forget()
  t.equal(await codeOf(call()), 'invalid_personal_api_key')
})

t.test('an answer read before the change is not kept', async (t) => {
  const { authenticator, state } = setUp()
  const credentials = bearer(`Bearer ${makePersonalKey()}`)
  const reading = authenticator.authenticate(credentials)
  authenticator.forget()
  await reading
  await authenticator.authenticate(credentials)
  t.equal(state.asked, 2)
})

t.test('the cache is bounded', async (t) => {
  const { authenticator, state } = setUp()
  const first = bearer(`Bearer ${makePersonalKey()}`)
  await authenticator.authenticate(first)
  for (let made = 0; made < AUTH_CACHE_MAX; made++) {
    await authenticator.authenticate(bearer(`Bearer key-number-${made}`))
  }
  const asked = state.asked
  await authenticator.authenticate(first)
  t.equal(state.asked, asked + 1, 'the oldest had to go')
})

t.test('a use is recorded when the last record is old, beside the call', async (t) => {
  for (const [usedSecondsAgo, touched] of [
    [null, 1],
    [3_600, 1],
    [3_599, 0],
  ] as const) {
    const { authenticator, state } = setUp({ usedSecondsAgo })
    await authenticator.authenticate(bearer(`Bearer ${makePersonalKey()}`))
    await authenticator.settled()
    t.equal(state.touched, touched, String(usedSecondsAgo))
  }
})

t.test('a use that cannot be recorded fails no call', async (t) => {
  const { clock } = setUp()
  const authenticator = createAuthenticator({
    findSession: async () => undefined,
    touchSession: async () => {},
    findKey: async () => ({
      keyId: 'k',
      userId: userId(1),
      isStaff: false,
      scopes: [],
      scopedProjects: [],
      scopedOrganizations: [],
      usedSecondsAgo: null,
      expiresAt: null,
      expiresInMs: null,
    }),
    touchKey: () => Promise.reject(new Error('read only')),
    clock,
    log,
  })
  const principal = await authenticator.authenticate(bearer(`Bearer ${makePersonalKey()}`))
  t.equal(principal.userId, 1)
  await authenticator.settled()
})

t.test('a key that expires is not remembered beyond that', async (t) => {
  const { authenticator, clock, state } = setUp({ expiresInMs: 300 })
  const credentials = bearer(`Bearer ${makePersonalKey()}`)
  await authenticator.authenticate(credentials)
  await clock.advance(299)
  t.equal(await codeOf(authenticator.authenticate(credentials)), 'accepted')
  t.equal(state.asked, 1)
  state.isKnown = false
  await clock.advance(1)
  t.equal(await codeOf(authenticator.authenticate(credentials)), 'invalid_personal_api_key')
})
