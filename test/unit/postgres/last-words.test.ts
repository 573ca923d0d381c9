import fc from 'fast-check'
import t from 'tap'
import { lastWordsOf } from '../../../src/postgres/last-words.ts'
import {
  commandComplete,
  errorMessage,
  message,
  readyForQuery,
} from '../../support/servers/postgres-messages.ts'

const FATAL = errorMessage('FATAL', '57P01', 'terminating: EEE')
const WORDS = { code: '57P01', message: 'terminating: EEE' }

t.test('the last message of the server is found behind any others', async () => {
  const other = fc
    .tuple(fc.constantFrom('D', 'Z', 'E', 'C'), fc.string({ maxLength: 300 }))
    .map(([type, body]) => message(type, body))
  fc.assert(
    fc.property(fc.array(other), (others) => {
      const words = lastWordsOf(Buffer.concat([...others, FATAL]))
      return words?.code === WORDS.code && words.message === WORDS.message
    }),
  )
})

t.test('nothing else is taken for it', async (t) => {
  const error = errorMessage('ERROR', '22012', 'division by zero')
  const none = [undefined, Buffer.alloc(0), Buffer.from('E'), error, commandComplete('SELECT 0')]
  for (const bytes of none) t.equal(lastWordsOf(bytes), undefined)
  t.equal(lastWordsOf(Buffer.concat([FATAL, readyForQuery('I')])), undefined, 'not the last')
  t.equal(lastWordsOf(FATAL.subarray(0, -1)), undefined, 'in two pieces')
  t.equal(lastWordsOf(FATAL.subarray(1)), undefined)
})

t.test('nonsense is read to its end', async () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
      lastWordsOf(Buffer.from(bytes))
      return true
    }),
  )
})
