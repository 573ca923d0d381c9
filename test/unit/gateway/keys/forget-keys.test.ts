import t from 'tap'
import { forgetfulClient } from '../../../../gateway/keys/forget-keys.ts'
import { AppError, type Code } from '../../../../src/core/code.ts'

/** Projects that a gateway forgets after a call that ends with `code`; undefined: with an answer. */
async function forgottenAfter(method: string, code?: Code, projectId?: number) {
  const forgotten: (number | 'all')[] = []
  const client = forgetfulClient(
    {
      call: async () => {
        if (code !== undefined) throw new AppError(code, 'refused')
        return {}
      },
      stream: async () => {
        throw new AppError('unimplemented', 'no stream')
      },
    },
    {
      forget: (project) => forgotten.push(project),
      forgetAll: () => forgotten.push('all'),
    },
  )
  const options = { metadata: {}, timeoutMs: 1, ...(projectId === undefined ? {} : { projectId }) }
  const call = client.call(`/sluice.v1.${method}`, {}, options)
  if (code === undefined) await call
  else await t.rejects(call, { code }, 'the failure is told')
  return forgotten
}

t.test('a change forgets its project, or all without one; a read forgets nothing', async (t) => {
  t.same(await forgottenAfter('ProjectService/UpdateProject', undefined, 7), [7])
  t.same(await forgottenAfter('ProjectService/CreateProject'), ['all'])
  t.same(await forgottenAfter('ProjectService/ListProjects'), [])
})

t.test('a call that needs no more than a scope of reading forgets nothing', async (t) => {
  t.same(await forgottenAfter('InsightService/RunQuery', undefined, 7), [])
  t.same(await forgottenAfter('InsightService/RunQuery', 'internal', 7), [])
  t.same(await forgottenAfter('FeatureFlagService/UpdateFeatureFlag', undefined, 7), [7])
})

t.test('a change with an unknown outcome forgets too, and a refused one nothing', async (t) => {
  for (const code of ['unavailable', 'deadline_exceeded', 'internal'] as const) {
    t.same(await forgottenAfter('ProjectService/CreateProject', code), ['all'], code)
  }
  for (const code of ['unauthenticated', 'permission_denied', 'not_found'] as const) {
    t.same(await forgottenAfter('ProjectService/CreateProject', code), [], code)
  }
})

t.test('calls that anybody may make void no cached keys', async (t) => {
  t.same(await forgottenAfter('SharingService/OpenSharedLink'), [])
  t.same(await forgottenAfter('SubscriptionService/Unsubscribe'), [])
  t.same(await forgottenAfter('LoginService/Login'), [])
})
