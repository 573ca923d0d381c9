import t from 'tap'
import { remembering } from '../../../../src/plugins/host/memo.ts'

t.test('a text is answered once, a long one each time, and there are never too many', (t) => {
  const made: string[] = []
  const ask = remembering({ entriesMax: 2, charsMax: 3 }, (text) => {
    made.push(text)
    return text === 'no' ? undefined : text.toUpperCase()
  })
  t.strictSame(['a', 'a', 'no', 'no'].map(ask), ['A', 'A', undefined, undefined])
  t.strictSame(made, ['a', 'no'])
  t.strictSame(['long', 'long'].map(ask), ['LONG', 'LONG'])
  t.strictSame(made, ['a', 'no', 'long', 'long'])
  ask('b')
  ask('a')
  ask('b')
  t.strictSame(made.slice(4), ['b', 'a'], 'a third one made it forget the others')
  t.end()
})
