import t from 'tap'
import { createLog } from '../../../../src/core/log.ts'
import { logText, textLines } from '../../../../src/core/logging/log-text.ts'

function lines(hasColors: boolean) {
  const written: string[] = []
  const output = { write: (text: string) => written.push(text) }
  const log = createLog({ level: 'debug' }, textLines(output, hasColors))
  return { log, text: () => written.join('') }
}

t.test('a line has the time, what is not info, the message and the fields', async (t) => {
  const { log, text } = lines(false)
  log.info('ready', { url: 'http://127.0.0.1:8000', ports: [1, 2], note: 'two words' })
  log.warn('postgres ended')
  t.match(
    text(),
    /^\d\d:\d\d:\d\d ready url=http:\/\/127\.0\.0\.1:8000 ports=\[1,2\] note="two words"\n\d\d:\d\d:\d\d warn postgres ended\n$/,
  )
})

t.test('colours are there only where they are allowed', async (t) => {
  const plain = lines(false)
  plain.log.error('x', { a: 1 })
  t.notOk(plain.text().includes('\u001b'))
  const painted = lines(true)
  painted.log.error('x', { a: 1 })
  t.match(painted.text(), '\u001b[31merror\u001b[0m')
})

t.test('a warning tells its error in a sentence, an error with its stack', async (t) => {
  const error = new Error('no such flag')
  const warned = lines(false)
  warned.log.warn('call failed', { error })
  t.match(warned.text(), /warn call failed error="no such flag"\n$/)
  const failed = lines(false)
  failed.log.error('call failed', { error })
  t.match(failed.text(), /error call failed error="no such flag"\n\s+at .*log-text\.test\.ts/)
})

t.test('a store that is away is told by its code, without a stack', async (t) => {
  const { log, text } = lines(false)
  const error = Object.assign(new Error('connect ECONNREFUSED /x'), { code: 'ECONNREFUSED' })
  log.error('flush failed', { error })
  t.match(text(), /error flush failed error="connect ECONNREFUSED \/x \(ECONNREFUSED\)"\n$/)
})

t.test('texts of clients cannot move the cursor', async (t) => {
  const { log, text } = lines(false)
  log.info('seen', { event: 'a\u001b[2Jb\u009bc', list: ['\u009b1m'] })
  t.notMatch(text().trimEnd(), /[\0-\x1f\x7f-\x9f]/)
})

t.test('text that is no line of the log is shown as it is', async (t) => {
  t.equal(logText('not ours\n', true), 'not ours\n')
  t.equal(logText('{"a":1}\n', true), '{"a":1}\n')
})
