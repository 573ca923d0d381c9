import t from 'tap'
import { toUnavailable } from '../../../src/postgres/failures.ts'

const failure = (code: string) => Object.assign(new Error('from the database'), { code })

t.test('a failure that the next try may find mended is unavailable', (t) => {
  const states = ['08006', '53300', '57P01', '57014', '25006', '25P03', '25P04', '40001', '40P01']
  for (const code of [...states, '55P03', '23503', 'ECONNRESET', 'CONNECTION_CLOSED']) {
    const told = toUnavailable(failure(code))
    t.match(told, { code: 'unavailable', message: `database: ${code}` }, code)
  }
  t.end()
})

t.test('an error of the statement or its values is not', (t) => {
  for (const code of ['22P02', '23505', '42703', '25P02'])
    t.equal(toUnavailable(failure(code)), undefined, code)
  t.equal(toUnavailable(new Error('of ours')), undefined)
  t.equal(toUnavailable('no error'), undefined)
  t.end()
})
