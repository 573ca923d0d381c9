import t from 'tap'
import {
  answerField,
  createNonces,
  decodeAnswer,
  encodeAnswer,
  eraOf,
  NONCE_FIELD,
  personKey,
} from '../../../../gateway/cache/redis-entries.ts'
import { projectId, revision } from '../../../../src/core/ids.ts'

t.test('a stored entry is served only in its era and beside its nonce', (t) => {
  const text = encodeAnswer({ era: 'e', nonce: 'n' }, { members: 'a\nb', dependsOnStored: true })
  t.equal(text, 'e n\na\nb')
  t.strictSame(decodeAnswer(text, 'e', 'n'), { members: 'a\nb', dependsOnStored: true })
  t.equal(decodeAnswer(text, 'e', 'm'), undefined)
  t.equal(decodeAnswer(text, 'e', undefined), undefined)
  t.equal(decodeAnswer(text, 'f', 'n'), undefined)
  t.equal(decodeAnswer(text, '', 'n'), undefined)
  t.end()
})

t.test('without a nonce only what read nothing stored can be kept', (t) => {
  const ticket = { era: 'e', nonce: undefined }
  t.equal(encodeAnswer(ticket, { members: 'a', dependsOnStored: true }), undefined)
  const text = encodeAnswer(ticket, { members: 'a', dependsOnStored: false })
  t.strictSame(decodeAnswer(text, 'e', undefined), { members: 'a', dependsOnStored: false })
  t.strictSame(decodeAnswer(text, 'e', 'n'), { members: 'a', dependsOnStored: false })
  t.equal(decodeAnswer(text, 'f', 'n'), undefined, 'its era counts all the same')
  t.end()
})

t.test('an entry of another origin is not found', (t) => {
  for (const text of [null, undefined, 7, '', 'e', 'e n', 'e', '\n', ['e n\nx'], {}]) {
    t.equal(decodeAnswer(text, 'e', 'n'), undefined, JSON.stringify(text))
  }
  t.end()
})

t.test('keys hold the cluster and the project, and no distinct id', (t) => {
  const key = personKey('c', projectId(7), 'ann@example.com')
  t.match(key, /^c:decide:7:[\w-]{22}$/)
  t.not(key, personKey('c', projectId(7), 'bob@example.com'))
  t.not(key, personKey('c', projectId(8), 'ann@example.com'))
  t.end()
})

t.test('fields are short, of one question and revision, and never the nonce', (t) => {
  const base = { projectId: projectId(1), distinctId: 'ann' }
  const questions = ['', 'g', 'v2', 'v2\n{}', 'x'.repeat(16), 'x'.repeat(17), 'x'.repeat(100_000)]
  const fields = questions.flatMap((question) =>
    [1, 12].map((each) => answerField({ ...base, revision: revision(each), question })),
  )
  t.equal(new Set(fields).size, fields.length)
  for (const field of fields) {
    t.ok(field.length < 40)
    t.not(field, NONCE_FIELD)
  }
  t.end()
})

t.test('eras differ by run and by generation', (t) => {
  t.equal(new Set([eraOf('a', 'b'), eraOf('a', 'c'), eraOf('b', 'b'), eraOf('ab', '')]).size, 4)
  t.notMatch(eraOf('a', 'b'), /[\s]/)
  t.end()
})

t.test('no nonce comes twice, from one process or two', (t) => {
  const sources = [createNonces(), createNonces()]
  const nonces = sources.flatMap((next) => Array.from({ length: 1_000 }, () => next()))
  t.equal(new Set(nonces).size, nonces.length)
  for (const nonce of nonces.slice(0, 50)) t.match(nonce, /^[\w.-]{2,40}$/)
  t.not(nonces[0], '-')
  t.end()
})
