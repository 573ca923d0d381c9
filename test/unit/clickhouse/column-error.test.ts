import { ClickHouseError } from '@clickhouse/client'
import t from 'tap'
import { isRowFault, toColumnError } from '../../../src/clickhouse/column-error.ts'

const failure = (type: string) =>
  toColumnError(new ClickHouseError({ message: 'it cannot', code: '1', type }))

t.test('an error that is no fault of a row never makes a dead letter of it', (t) => {
  const others = ['NOT_ENOUGH_SPACE', 'TOO_MANY_PARTS', 'MEMORY_LIMIT_EXCEEDED', 'TIMEOUT_EXCEEDED']
  const tables = ['NO_SUCH_COLUMN_IN_TABLE', 'UNKNOWN_TABLE', 'TABLE_IS_READ_ONLY', 'READONLY']
  for (const type of [...others, ...tables, 'AUTHENTICATION_FAILED', '']) {
    t.notOk(isRowFault(failure(type)), type)
  }
  for (const type of ['INCORRECT_DATA', 'VIOLATED_CONSTRAINT', 'CANNOT_PARSE_NUMBER']) {
    t.ok(isRowFault(failure(type)), type)
  }
  t.notOk(isRowFault(toColumnError(new Error('socket hang up'))), 'an answer that is lost')
  t.end()
})

t.test('a full disk is told by its name', (t) => {
  const { kind, message } = failure('NOT_ENOUGH_SPACE')
  t.equal(kind, 'failed')
  t.match(message, /NOT_ENOUGH_SPACE/)
  t.end()
})
