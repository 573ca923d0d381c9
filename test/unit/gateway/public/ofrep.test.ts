import t, { type Test } from 'tap'
import { createBodyThreads } from '../../../../gateway/body/body-thread.ts'
import { createMemoryDecideCache } from '../../../../gateway/cache/memory-decide-cache.ts'
import type { HttpReply } from '../../../../gateway/http/http-server.ts'
import { createOfrep, type OfrepDeps } from '../../../../gateway/public/ofrep.ts'
import { refuseOfrep } from '../../../../gateway/public/ofrep-replies.ts'
import type { DecideAnswer__Output } from '../../../../proto/gen/sluice/v1/DecideAnswer.ts'
import type { DecideQuestion__Output } from '../../../../proto/gen/sluice/v1/DecideQuestion.ts'
import { systemClock as clock } from '../../../../src/core/clock.ts'
import { AppError } from '../../../../src/core/code.ts'
import { BODY_BYTES_INLINE_MAX } from '../../../../src/core/limits/limits.ts'
import { silentLog as log } from '../../../../src/core/log.ts'
import { renderMembers } from '../../../../src/flags/render.ts'
import { bodyOf, headerOf, requestOf } from '../../../support/http/rest.ts'
import { TOKEN, webKeys } from '../../../support/http/web-keys.ts'
import { ask as evaluated, flag, oneSet, person, snapshot } from '../../flags/support.ts'

const ANSWER: DecideAnswer__Output = {
  code: '',
  retry_after_s: 0,
  revision: 1,
  members: '"flags":[]',
  depends_on_stored: false,
  volatile: false,
}
const CONTEXT = { context: { targetingKey: 'u1' } }

type Answering = (question: DecideQuestion__Output) => DecideAnswer__Output

function setUp(t: Test, answer: Answering = () => ANSWER, down = false) {
  const { keys, asked } = webKeys({ down })
  const questions: DecideQuestion__Output[] = []
  const answered: boolean[] = []
  const bodyThreads = createBodyThreads({ clock, log })
  t.teardown(() => bodyThreads.close())
  const deps: OfrepDeps = {
    keys,
    pool: {
      async decide(question) {
        questions.push(question)
        return answer(question)
      },
    },
    cache: createMemoryDecideCache({ bytesMax: 1_000_000, keepsStored: true }),
    bodyThreads,
    proxies: { trusts: () => false },
    limits: undefined,
    log,
    onAnswered: (cached) => answered.push(cached),
  }
  const ofrep = createOfrep(deps)
  const send = async (
    sent: { body?: unknown; key?: string; headers?: Record<string, string> } = {},
  ): Promise<HttpReply> => {
    const { body = CONTEXT, key } = sent
    const text = typeof body === 'string' ? body : JSON.stringify(body)
    const headers = { authorization: `Bearer ${TOKEN}`, ...sent.headers }
    const request = requestOf('POST', '/ofrep/v1/evaluate/flags', { headers, anonymous: true })
    if (key === undefined) return ofrep.bulk(request, Buffer.from(text))
    return ofrep.single(request, Buffer.from(text), { key })
  }
  return { send, questions, answered, asked }
}

/** Answer of a worker that has these flags. */
function workerWith(...flags: Parameters<typeof snapshot>[0]): Answering {
  const compiled = snapshot(flags)
  return (question) => {
    const evaluation = evaluated(compiled, {
      distinctId: question.distinct_id,
      flagKeys: question.has_flag_keys ? question.flag_keys : undefined,
    })
    return { ...ANSWER, members: renderMembers('ofrep', evaluation) }
  }
}

t.test('the key comes as a bearer or in its own header, and must be of a project', async (t) => {
  const { send, questions } = setUp(t)
  const takes = async (headers: Record<string, string>) => (await send({ headers })).status
  t.equal(await takes({}), 200)
  t.equal(await takes({ authorization: `bearer  ${TOKEN} ` }), 200)
  t.equal(await takes({ authorization: '', 'x-api-key': TOKEN }), 200)
  t.equal(await takes({ authorization: 'Basic dXNlcjpwYXNz', 'x-api-key': TOKEN }), 200)
  const before = questions.length
  for (const headers of [
    { authorization: '' },
    { authorization: 'Bearer ' },
    { authorization: TOKEN },
    { authorization: 'Bearer phx_personal' },
    { authorization: 'Bearer phc_other', 'x-api-key': TOKEN },
    { authorization: `Bearer ${'p'.repeat(300)}` },
    { authorization: '', 'x-api-key': 'phc_other' },
  ]) {
    const reply = await send({ headers, body: 'not even JSON', key: 'f' })
    t.equal(reply.status, 401, JSON.stringify(headers))
    t.match(bodyOf(reply), { errorDetails: /project API key/ })
    t.equal(headerOf(reply, 'WWW-Authenticate'), 'Bearer')
  }
  t.equal(questions.length, before, 'a stranger costs no question')
})

t.test('a key in the body or the query counts for nothing', async (t) => {
  const { send } = setUp(t)
  const body = { ...CONTEXT, token: TOKEN, api_key: TOKEN }
  t.equal((await send({ body, headers: { authorization: '' } })).status, 401)
})

t.test('503 while nobody can tell whose key it is', async (t) => {
  const { send } = setUp(t, () => ANSWER, true)
  const reply = await send()
  t.equal(reply.status, 503)
  t.match(headerOf(reply, 'Retry-After'), /^\d+$/)
  t.match(bodyOf(reply), { errorDetails: /Try again/ })
})

t.test('a body that is no question is refused with a code, and the key of its flag', async (t) => {
  const { send, questions } = setUp(t)
  const rows: [body: unknown, code: string][] = [
    ['', 'PARSE_ERROR'],
    ['  ', 'PARSE_ERROR'],
    ['{"context":', 'PARSE_ERROR'],
    ['[]', 'PARSE_ERROR'],
    ['[{"context":{"targetingKey":"u1"}}]', 'PARSE_ERROR'],
    ['12', 'PARSE_ERROR'],
    [' { } ', 'TARGETING_KEY_MISSING'],
    [{ context: {} }, 'TARGETING_KEY_MISSING'],
    [{ context: [1] }, 'INVALID_CONTEXT'],
  ]
  for (const [body, errorCode] of rows) {
    const one = await send({ body, key: 'beta' })
    t.equal(one.status, 400, JSON.stringify(body))
    t.match(bodyOf(one), { key: 'beta', errorCode, errorDetails: /\w/ })
    const all = await send({ body })
    t.equal(all.status, 400)
    t.match(bodyOf(all), { errorCode })
    t.notOk('key' in (bodyOf(all) as object))
  }
  t.strictSame(questions, [])
})

t.test('equal answers have equal tags, and a client that has one is told so', async (t) => {
  const flags = [flag(1, 'a', oneSet([])), flag(2, 'b', oneSet([]))]
  const { send } = setUp(t, workerWith(...flags))
  const first = await send()
  const tag = headerOf(first, 'ETag') ?? ''
  t.match(tag, /^"[\w-]{20,}"$/)
  t.match(bodyOf(first), { flags: [{ key: 'a' }, { key: 'b' }] })
  const other = await send({ body: { context: { targetingKey: 'u2', plan: 'pro' } } })
  t.equal(headerOf(other, 'ETag'), tag, 'somebody else whose flags come out the same')
  for (const named of [tag, `W/${tag}`, `"x", ${tag}`, '*']) {
    const reply = await send({ headers: { 'if-none-match': named } })
    t.equal(reply.status, 304, named)
    t.equal(reply.body, '')
    t.equal(headerOf(reply, 'ETag'), tag)
  }
  const stale = await send({ headers: { 'if-none-match': '"x"' } })
  t.equal(stale.status, 200)
})

t.test('one flag is its entry alone, and one that is not there is 404', async (t) => {
  const { send, questions } = setUp(
    t,
    workerWith(flag(1, 'on', oneSet([])), flag(2, 'off', oneSet([person('plan', 'pro')]))),
  )
  const on = await send({ key: 'on' })
  t.equal(on.status, 200)
  t.match(bodyOf(on), { key: 'on', value: true, reason: 'STATIC' })
  t.match(questions[0], { has_flag_keys: true, flag_keys: ['on'], shape: 'ofrep' })
  t.match(bodyOf(await send({ key: 'off' })), { key: 'off', value: false, reason: 'DEFAULT' })
  for (const key of ['none', 'x'.repeat(401), '__proto__', 'a\u0000b']) {
    const reply = await send({ key })
    t.equal(reply.status, 404, JSON.stringify(key.slice(0, 9)))
    t.match(bodyOf(reply), { key, errorCode: 'FLAG_NOT_FOUND' })
  }
  t.equal(questions.length, 5, 'a key that no flag can have is not asked for')
})

t.test('a flag that failed is an entry among others, and 500 alone', async (t) => {
  const cohort = oneSet([{ type: 'cohort', value: 5 }])
  const { send } = setUp(t, workerWith(flag(1, 'fine', oneSet([])), flag(2, 'lost', cohort)))
  const all = await send()
  t.equal(all.status, 200)
  t.match(bodyOf(all), { flags: [{ value: true }, { key: 'lost', errorCode: 'GENERAL' }] })
  const one = await send({ key: 'lost' })
  t.equal(one.status, 500)
  t.match(bodyOf(one), { key: 'lost', errorCode: 'GENERAL', errorDetails: /cohort/ })
  t.equal((await send({ key: 'fine' })).status, 200)
})

t.test('an answer is asked for once and kept apart by context and key', async (t) => {
  const { send, questions, answered } = setUp(t, workerWith(flag(1, 'a', oneSet([]))))
  for (let round = 0; round < 2; round++) {
    await send()
    await send({ key: 'a' })
    await send({ key: 'b' })
    await send({ body: { context: { targetingKey: 'u1', plan: 'pro' } } })
    await send({ body: { context: { targetingKey: 'u2' } } })
  }
  t.equal(questions.length, 5)
  t.strictSame(
    answered,
    [0, 1].flatMap((round) => Array(5).fill(round === 1)),
  )
})

t.test('a worker that cannot answer is 503, and a fault of ours 500', async (t) => {
  const refusing = setUp(t, () => ({ ...ANSWER, code: 'unavailable', retry_after_s: 7 }))
  const busy = await refusing.send({ key: 'a' })
  t.equal(busy.status, 503)
  t.equal(headerOf(busy, 'Retry-After'), '7')
  t.match(bodyOf(busy), { errorDetails: /\w/ })
  const gone = setUp(t, () => ({ ...ANSWER, code: 'not_found' }))
  t.equal((await gone.send()).status, 401)
  await gone.send()
  t.equal(gone.asked.length, 2, 'the key is asked for anew')
  const away = setUp(t, () => {
    throw new AppError('unavailable', 'no worker')
  })
  t.equal((await away.send()).status, 503)
  const broken = setUp(t, () => {
    throw new Error('a bug')
  })
  const reply = await broken.send()
  t.equal(reply.status, 500)
  t.match(bodyOf(reply), { errorDetails: /\w/ })
})

t.test('a large body is opened on a thread, a larger one refused', async (t) => {
  const { send, questions } = setUp(t)
  const note = 'x'.repeat(BODY_BYTES_INLINE_MAX)
  t.equal((await send({ body: { context: { targetingKey: 'u1', note } } })).status, 200)
  t.equal(JSON.parse(questions[0]?.person_properties ?? '').note.length, note.length)
  const more = note.repeat(9)
  const reply = await send({ body: { context: { targetingKey: 'u1', more } }, key: 'a' })
  t.equal(reply.status, 413)
  t.match(bodyOf(reply), { errorDetails: /too large/ })
})

t.test('pages may read the tag and when to come back, of errors too', async (t) => {
  const { send } = setUp(t)
  const origin = 'https://app.example.com'
  for (const headers of [{ origin }, { origin, authorization: '' }]) {
    const reply = await send({ headers })
    t.equal(headerOf(reply, 'Access-Control-Allow-Origin'), origin)
    t.equal(headerOf(reply, 'Access-Control-Expose-Headers'), 'ETag, Retry-After')
  }
  const plain = await send()
  t.equal(headerOf(plain, 'Access-Control-Expose-Headers'), undefined)
})

t.test(
  'a request that never reaches a handler is refused in the words of the protocol',
  async (t) => {
    const request = requestOf('POST', '/ofrep/v1/evaluate/flags', { anonymous: true })
    const rows = [
      ['bad_request', 400],
      ['body_too_large', 413],
      ['overloaded', 503],
      ['internal', 500],
    ] as const
    for (const [refusal, status] of rows) {
      const reply = refuseOfrep(refusal, request)
      t.equal(reply.status, status)
      t.match(bodyOf(reply), { errorDetails: /\w/ })
      t.equal(headerOf(reply, 'Retry-After') !== undefined, status === 503)
    }
  },
)
