import t from 'tap'
import { absent, type Expectation } from '../../api/support/case.ts'
import { differences } from '../../support/api/api-match.ts'
import { brokenRules } from '../../support/api/api-rules.ts'
import { fillPath, fillValue } from '../../support/api/placeholders.ts'
import type { Reply } from '../../support/http/http-call.ts'

/** The judge of the black-box cases is judged here: one that lets all pass would show nothing. */

function reply(status: number, body: unknown, headers: Record<string, string> = {}): Reply {
  const all = {
    'content-type': 'application/json',
    'x-content-type-options': 'nosniff',
    ...headers,
  }
  return { status, body, headers: all, text: body === undefined ? '' : JSON.stringify(body) }
}

const NAMES = new Map<string, unknown>([
  ['id', 7],
  ['text', 'a b'],
  ['link', 'http://127.0.0.1:1/api/things/?limit=1&offset=2'],
])

t.test('an answer that is as expected has no difference', (t) => {
  const expects: readonly Expectation[] = [
    { status: 200 },
    { status: 200, body: { a: 1, list: [{ b: null }], word: /^w/, gone: absent } },
    { status: 200, body: { a: 1, id: '{id}', said: 'no {id}' } },
    { status: 200, keys: ['a', 'id', 'list', 'said', 'word'], keysAt: { 'list.0': ['b', 'c'] } },
    { status: 200, headers: { 'content-type': 'application/json', allow: /GET/ }, text: /"a":1/ },
  ]
  const body = { a: 1, id: 7, said: 'no 7', list: [{ b: null, c: 2 }], word: 'wide' }
  const found = reply(200, body, { allow: 'GET, HEAD' })
  for (const expect of expects) t.same(differences(found, expect, NAMES), [])
  t.end()
})

t.test('every part of an expectation can fail', (t) => {
  const body = { a: 1, list: [1, 2], text: 'x', none: null }
  const wrong: readonly Expectation[] = [
    { status: 201 },
    { status: 200, body: { a: 2 } },
    { status: 200, body: { a: '1' } },
    { status: 200, body: { missing: null } },
    { status: 200, body: { none: {} } },
    { status: 200, body: { a: absent } },
    { status: 200, body: { list: [1] } },
    { status: 200, body: { list: [2, 1] } },
    { status: 200, body: { list: { 0: 1 } } },
    { status: 200, body: { a: /1/ } },
    { status: 200, body: { text: /y/ } },
    { status: 200, body: [] },
    { status: 200, body: 'x' },
    { status: 200, keys: ['a', 'list', 'text'] },
    { status: 200, keys: ['a', 'list', 'text', 'none', 'more'] },
    { status: 200, keysAt: { nowhere: ['a'] } },
    { status: 200, headers: { allow: /./ } },
    { status: 200, headers: { 'content-type': 'text/csv' } },
    { status: 200, text: 'x' },
  ]
  for (const expect of wrong) {
    t.not(differences(reply(200, body), expect, NAMES).length, 0, JSON.stringify(expect))
  }
  t.end()
})

t.test('an answer that breaks a rule of the interface is told from one that does not', (t) => {
  const error = { type: 'a', code: 'b', detail: 'c', attr: null }
  const badKey = { type: 'a', code: 'invalid_personal_api_key', detail: 'c' }
  const challenge = { 'www-authenticate': 'Bearer' }
  const good = [
    reply(200, {}),
    reply(204, undefined),
    reply(400, { ...error, attr: 'field' }),
    reply(401, badKey, challenge),
    reply(405, error, { allow: 'GET' }),
    reply(429, error, { 'retry-after': '1' }),
  ]
  for (const each of good) t.same(brokenRules(each), [], `${each.status}`)
  const bad = [
    reply(200, {}, { 'x-content-type-options': '' }),
    reply(500, error),
    reply(401, error),
    reply(401, { ...badKey, attr: null }, challenge),
    reply(405, error),
    reply(429, error),
    reply(204, {}),
    reply(400, []),
    reply(400, { ...error, attr: 5 }),
    reply(400, { ...error, detail: '' }),
    reply(400, { ...error, more: 1 }),
    reply(400, { type: 'a', code: 'b', detail: 'c' }),
  ]
  for (const each of bad) t.not(brokenRules(each).length, 0, `${each.status} ${each.text}`)
  t.end()
})

t.test('placeholders become values, texts or parts of a path', (t) => {
  t.same(fillValue({ a: ['{id}', 'x{id}', '{unknown}'], '{id}': /x/ }, NAMES), {
    a: [7, 'x7', '{unknown}'],
    7: /x/,
  })
  t.equal(fillPath('/api/{id}/{text}/?q={text}', NAMES), '/api/7/a%20b/?q=a%20b')
  t.equal(fillPath('{link}', NAMES), '/api/things/?limit=1&offset=2')
  t.throws(() => fillPath('/api/{unknown}/', NAMES))
  t.end()
})
