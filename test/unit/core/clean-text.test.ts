import fc from 'fast-check'
import t from 'tap'
import { cleanObject, cleanText } from '../../../src/core/clean-text.ts'
import { codePoint } from '../../support/code-points.ts'

t.test('text is cleaned of NUL and lone surrogates, and of nothing else', async (t) => {
  t.equal(cleanText('a\0b\ud83c\udf89\ud83c \udf89z'), 'a\ufffdb🎉\ufffd \ufffdz')
  fc.assert(
    fc.property(fc.string({ unit: codePoint }), (text) => {
      const kept = Buffer.from(text.replaceAll('\0', '\ufffd'), 'utf8').toString('utf8')
      return cleanText(text) === kept
    }),
  )
})

t.test('keys are cleaned as values are, and a prototype stays data', async (t) => {
  const dirty = JSON.parse('{"a\\u0000":["\\ud800",{"b\\udc00":1}],"__proto__":{"c":"\\u0000"}}')
  t.equal(
    JSON.stringify(cleanObject(dirty)),
    '{"a\ufffd":["\ufffd",{"b\ufffd":1}],"__proto__":{"c":"\ufffd"}}',
  )
})
