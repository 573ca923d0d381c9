import t from 'tap'
import { createPolicy } from '../../../src/access/policy.ts'
import { AppError } from '../../../src/core/code.ts'
import { createMemberAuth, sameToken } from '../../../src/rpc/server/member-auth.ts'
import type { CallMetadata } from '../../../src/wire/call.ts'
import { methods } from '../../../src/wire/proto/proto.ts'
import { createWorkerCallGuard } from '../../../src/worker/worker-call-guard.ts'

const POLICY = createPolicy(methods())

function metadataOf(authorization?: string): CallMetadata {
  const values = authorization === undefined ? [] : [['authorization', authorization] as const]
  return { get: (name) => new Map(values).get(name as 'authorization'), entries: () => values }
}

/** Each guard takes the token of its own name, and nothing else. */
function testDoor(paths: Iterable<string>) {
  const takes = (token: string) => async (metadata: CallMetadata) => {
    if (metadata.get('authorization') === `Bearer ${token}`) return
    throw new AppError('unauthenticated', `not ${token}`)
  }
  const authenticate = takes('person')
  return createWorkerCallGuard(
    {
      isMember: sameToken('member'),
      memberAuth: createMemberAuth(sameToken('member')),
      operatorAuth: createMemberAuth(sameToken('operator')),
      serviceGuard: takes('service'),
      authenticator: {
        async authenticate(credentials) {
          await authenticate({ get: (name) => credentials.get(name), entries: () => [] })
          throw new AppError('internal', 'let in')
        },
      },
      policy: POLICY,
    },
    paths,
  )
}

async function verdict(path: string, token?: string): Promise<string> {
  const guard = testDoor(methods().map((method) => method.path)).guards.get(path)
  if (guard === undefined) return 'anybody'
  try {
    await guard(metadataOf(token === undefined ? undefined : `Bearer ${token}`))
    return 'let in'
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    return error.message === 'let in' ? 'let in' : error.code
  }
}

t.test('every call but those for anybody asks for its own kind of key', async (t) => {
  const kinds = ['member', 'operator', 'service', 'person']
  const counts = new Map<string, number>()
  for (const { path, rules } of methods()) {
    if (rules.public) {
      t.equal(await verdict(path), 'anybody', path)
      continue
    }
    t.equal(await verdict(path), 'unauthenticated', `${path} without a key`)
    const verdicts = await Promise.all(kinds.map((kind) => verdict(path, kind)))
    const taken = kinds.filter((_, index) => verdicts[index] === 'let in')
    t.equal(taken.length, 1, `${path}: ${taken}`)
    counts.set(String(taken), (counts.get(String(taken)) ?? 0) + 1)
  }
  t.same([...counts.keys()].toSorted(), kinds.toSorted())
  t.equal(counts.get('service'), 3)
})

t.test('a call that nobody guards stops the start', async (t) => {
  t.throws(() => testDoor(['/sluice.v1.NewService/Forgotten']), { message: /nobody guards it/ })
})
