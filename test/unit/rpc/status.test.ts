import { status } from '@grpc/grpc-js'
import t from 'tap'
import { AppError } from '../../../src/core/code.ts'
import { silentLog as log } from '../../../src/core/log.ts'
import { decodeErrorDetails } from '../../../src/core/proto/error-details.ts'
import { toAppError, toServiceError } from '../../../src/rpc/status.ts'

const detailsOf = (error: unknown) => {
  const answer = toServiceError(error, log, '/a/B')
  return { ...answer, wire: decodeErrorDetails(answer.metadata.get('grpc-status-details-bin')[0]) }
}

t.test('what is not ours is internal, and says nothing', async (t) => {
  for (const error of [new Error('password is 123'), 'text', undefined, { code: '23505' }]) {
    const answer = detailsOf(error)
    t.match(answer, { code: status.INTERNAL, details: 'internal', wire: { code: 'internal' } })
    t.notMatch(JSON.stringify(answer), /password/)
  }
})

t.test('an absent database is unavailable, with a time to try again', async (t) => {
  for (const code of ['ECONNREFUSED', 'CONNECTION_CLOSED', '57P03', '08006', '53300', '40P01']) {
    const failure = toAppError(Object.assign(new Error('x'), { code }))
    t.match(failure, { code: 'unavailable', detail: { retryAfterS: 1 } }, code)
  }
  for (const code of ['42601', '23505', 'ERR_ASSERTION']) {
    t.match(toAppError(Object.assign(new Error('x'), { code })), { code: 'internal' }, code)
  }
})

t.test('a failure keeps its code and its public detail', async (t) => {
  const detail = { type: 'validation_error', code: 'blank', detail: 'Blank.', attr: 'name' }
  t.match(detailsOf(new AppError('invalid_argument', 'secret', { detail })), {
    code: status.INVALID_ARGUMENT,
    details: 'Blank.',
    wire: { code: 'invalid_argument', detail },
  })
  const hinted = Object.assign(new AppError('not_owner', 'x'), { ownerHint: '10.0.0.1:8001' })
  t.match(detailsOf(hinted), {
    code: status.FAILED_PRECONDITION,
    wire: { code: 'not_owner', ownerHint: '10.0.0.1:8001' },
  })
})
