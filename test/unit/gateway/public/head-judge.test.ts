/** Keys of public requests that are judged before their bodies come. */
import t from 'tap'
import { createHeadJudge } from '../../../../gateway/public/head-judge.ts'
import { bodyOf, requestOf } from '../../../support/http/rest.ts'
import { TOKEN, webKeys } from '../../../support/http/web-keys.ts'

const basic = (text: string) => `Basic ${Buffer.from(text).toString('base64')}`

/** Method and target, the `Authorization` header, and the code of the refusal. */
const ROWS: readonly (readonly [string, string, string | undefined])[] = [
  ['/i/v1/analytics/events', `Bearer ${TOKEN}`, undefined],
  ['/i/v1/analytics/events', 'Bearer phc_nobody', 'invalid_api_key'],
  ['/i/v1/analytics/events/', '', 'invalid_api_key'],
  ['/v1/batch', basic(`${TOKEN}:`), undefined],
  ['/v1/batch', basic('phc_nobody:'), 'invalid_api_key'],
  ['/v1/t', basic('phc_nobody'), 'invalid_api_key'],
  ['/v1/batch?writeKey=phc_nobody', '', 'invalid_api_key'],
  [`/v1/batch?writeKey=${TOKEN}`, '', undefined],
  [`/v1/batch?writeKey=${TOKEN}`, basic('phc_nobody:'), 'invalid_api_key'],
  // The body may hold the key, or say which project a personal key is for.
  ['/v1/batch', '', undefined],
  ['/v1/batch', basic('phx_personal:'), undefined],
  ['/capture/', basic('phc_nobody:'), undefined],
  ['/capture/?token=phc_nobody', '', undefined],
  ['/decide/', 'Bearer phc_nobody', undefined],
]

t.test('a key is judged before the body where it stands before it', async (t) => {
  for (const [target, authorization, code] of ROWS) {
    const judge = createHeadJudge(webKeys().keys)
    const request = requestOf('POST', target, { headers: { authorization }, anonymous: true })
    const reply = await judge(request)
    const about = `${target} ${authorization}`
    t.equal(reply?.status, code === undefined ? undefined : 401, about)
    if (reply !== undefined) t.match(bodyOf(reply), { code }, about)
  }
})

t.test('while nobody knows the key, the request is told so', async (t) => {
  const judge = createHeadJudge(webKeys({ down: true }).keys)
  const headers = { authorization: basic('phc_nobody:') }
  const reply = await judge(requestOf('POST', '/v1/batch', { headers, anonymous: true }))
  t.match(reply, { status: 503 })
})
