import t from 'tap'
import { explainDatabase } from '../../../../src/cli/service/explain-database.ts'
import { AppError } from '../../../../src/core/code.ts'

const URL = 'postgres://joe:s3cret@db.example:5433,db2.example/events'

function failure(code: string, message = 'what the server said'): Error {
  return Object.assign(new Error(message), { code })
}

function explained(error: unknown, target: Parameters<typeof explainDatabase>[1] = URL): string {
  const answer = explainDatabase(error, target)
  return answer instanceof AppError && answer !== error ? answer.message : 'as it was'
}

t.test('a database that cannot be reached or refuses is named, without its password', (t) => {
  const at = 'cannot use the database at db.example:5433,db2.example:5432/events (DATABASE_URL)'
  for (const code of [
    'ECONNREFUSED',
    'ENOTFOUND',
    'CONNECTION_CLOSED',
    '28P01',
    '3D000',
    '57P03',
  ]) {
    t.equal(explained(failure(code)), `${at}: what the server said`, code)
  }
  for (const code of ['CONNECT_TIMEOUT', 'ETIMEDOUT']) {
    t.equal(explained(failure(code, 'write undefined:undefined')), `${at}: no answer in time`, code)
  }
  const connection = { host: '/run/pg', port: 5432, user: 'joe', database: 'events' }
  t.match(explained(failure('ENOENT'), connection), 'database at /run/pg/events ')
  t.end()
})

t.test('a URL that cannot be read is told so, without it', (t) => {
  const problem = explained(new TypeError('any'), `${URL}?sslmode=perhaps`)
  t.equal(problem, 'DATABASE_URL cannot be used: unknown sslmode perhaps')
  t.end()
})

t.test('anything else stays what it is', (t) => {
  for (const error of [
    new Error('a bug'),
    failure('42601'),
    new AppError('failed_precondition', 'the database is newer'),
    'thrown',
  ]) {
    t.equal(explainDatabase(error, URL), error)
  }
  t.end()
})
