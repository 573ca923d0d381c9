import t from 'tap'
import {
  answerText,
  createAnswerList,
  JsonText,
} from '../../../../src/query/insights/answer-text.ts'

t.test('numbers of a text that is JSON already keep their digits', async (t) => {
  const results = new JsonText('[12345678901234567890, 1e400]')
  const text = answerText({ results, 'a"b': 'ü', missing: undefined, none: null })
  t.equal(text, '{"results":[12345678901234567890, 1e400],"a\\"b":"ü","none":null}')
  t.equal(JSON.stringify({ results: new JsonText('[1]') }), '{"results":[1]}')
})

t.test('answers that are too large together: those that fit are there', async (t) => {
  const list = createAnswerList(8)
  for (const answer of ['"aaa"', '"ää"', '1', '22']) list.add(answer, 'null')
  t.equal(list.text(), '{"results":["aaa",null,1,22]}')
})
