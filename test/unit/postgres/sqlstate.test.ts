import t from 'tap'
import { StoreError } from '../../../src/ingest/store-port.ts'
import { PropertiesError } from '../../../src/persons/property-fold.ts'
import { isMissingPartition, toStoreError } from '../../../src/postgres/failures.ts'

function failure(fields: Record<string, unknown>): Error {
  return Object.assign(new Error('failed'), fields)
}

t.test('each failure means one thing', async (t) => {
  const table: Record<string, string> = {
    '22P02': 'data',
    '22021': 'data',
    '23502': 'data',
    '23505': 'data',
    '54000': 'data',
    '40001': 'conflict',
    '40P01': 'conflict',
    '0A000': 'conflict',
    '08006': 'unreachable',
    '25006': 'unreachable',
    '28P01': 'unreachable',
    '3D000': 'unreachable',
    '53100': 'unreachable',
    '54001': 'unreachable',
    '55P03': 'unreachable',
    '57014': 'unreachable',
    '57P01': 'unreachable',
    '58030': 'unreachable',
    CONNECTION_CLOSED: 'unreachable',
    CONNECTION_DESTROYED: 'unreachable',
    CONNECT_TIMEOUT: 'unreachable',
    ECONNREFUSED: 'unreachable',
    ENOENT: 'unreachable',
    '42P01': 'fault',
    XX000: 'fault',
    MAX_PARAMETERS_EXCEEDED: 'fault',
  }
  for (const [code, kind] of Object.entries(table)) {
    t.match(toStoreError(failure({ code })), { kind, code }, code)
  }
})

t.test('a person made by another transaction in between is a conflict', async (t) => {
  const taken = { code: '23505', constraint_name: 'distinct_ids_pkey' }
  t.match(toStoreError(failure(taken)), { kind: 'conflict' })
})

t.test('errors without a code are told apart', async (t) => {
  t.equal(toStoreError(failure({ syscall: 'connect' })).kind, 'unreachable')
  t.equal(toStoreError(new PropertiesError('bad')).kind, 'data')
  t.equal(toStoreError(new TypeError('a defect')).kind, 'fault')
  t.equal(toStoreError('thrown text').kind, 'fault')
  const known = new StoreError('data', '22P02', 'bad')
  t.equal(toStoreError(known), known)
})

t.test('a missing partition is not a violated check', async (t) => {
  t.ok(isMissingPartition(failure({ code: '23514' })))
  t.notOk(isMissingPartition(failure({ code: '23514', constraint_name: 'a_check' })))
  t.notOk(isMissingPartition(failure({ code: '23505' })))
})
