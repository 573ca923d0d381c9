import { status } from '@grpc/grpc-js'
import t from 'tap'
import { AppError, type Code } from '../../../../src/core/code.ts'
import { silentLog as log } from '../../../../src/core/log.ts'
import { toAppError, toServiceError } from '../../../../src/rpc/server/status.ts'
import { HTTP_STATUS } from '../../../../src/wire/failure.ts'
import { decodeErrorDetails } from '../../../../src/wire/proto/error-details.ts'

const detailsOf = (error: unknown) => {
  const answer = toServiceError(error, log, '/a/B')
  return { ...answer, wire: decodeErrorDetails(answer.metadata.get('grpc-status-details-bin')[0]) }
}

t.test('a foreign error is internal, and says nothing', async (t) => {
  for (const error of [new Error('password is 123'), 'text', undefined, { code: '23505' }]) {
    const answer = detailsOf(error)
    t.match(answer, { code: status.INTERNAL, details: 'A server error occurred.' })
    t.match(answer.wire, { code: 'internal', detail: { code: 'error', httpStatus: 500 } })
    t.notMatch(JSON.stringify(answer), /password/)
  }
})

t.test('an absent database is unavailable, with a time to try again', async (t) => {
  for (const code of [
    'ECONNREFUSED',
    'CONNECTION_CLOSED',
    '57P03',
    '08006',
    '53300',
    '40P01',
    '23503',
  ]) {
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

t.test(
  'every failure says what REST would answer, whether it has a body of its own or not',
  async (t) => {
    for (const [code, httpStatus] of Object.entries(HTTP_STATUS)) {
      // The keys of the table are the codes.
      const { code: grpcCode, details, wire } = detailsOf(new AppError(code as Code, 'secret'))
      const { type, code: name, detail } = wire?.detail ?? {}
      t.ok(grpcCode > 0 && type && name && detail, `${code}: ${name}`)
      t.match(wire, { code, detail: { httpStatus } })
      t.equal(wire?.detail?.retryAfterS, [429, 503].includes(httpStatus) ? 1 : undefined)
      t.equal(details, detail)
    }
    const detail = { type: 'invalid_request', code: 'x', detail: 'X.', attr: null, httpStatus: 415 }
    const asked = detailsOf(new AppError('invalid_argument', 'x', { detail }))
    t.match(asked, { code: status.INVALID_ARGUMENT, wire: { detail: { httpStatus: 415 } } })
  },
)

t.test('a text that no trailer can hold is made one that it can', async (t) => {
  const long = `\ud800${'\u{1f600}'.repeat(10_000)}\0`
  const detail = { type: 'validation_error', code: 'invalid_choice', detail: long, attr: long }
  const { details, wire } = detailsOf(new AppError('invalid_argument', 'x', { detail }))
  t.equal(details.length, 1_000)
  t.doesNotThrow(() => encodeURI(details), 'as grpc-js sends it')
  t.match(wire, { detail: { detail: details, attr: details } })
})
