import t from 'tap'
import { createPolicy, requireLevel, requireScope } from '../../../src/access/policy.ts'
import { AppError } from '../../../src/core/code.ts'
import { userId } from '../../../src/core/ids.ts'
import { methods } from '../../../src/wire/proto/proto.ts'

const policy = createPolicy(methods())

function policyOf(path: string) {
  const found = policy.get(path)
  if (found === undefined) throw new Error(`no policy for ${path}`)
  return found
}

function principal(scopes: readonly string[]) {
  const none = { scopedProjects: [], scopedOrganizations: [] }
  return { userId: userId(1), keyId: 'k', isStaff: false, scopes, ...none, expiresAt: null }
}

function denies(run: () => void): boolean {
  try {
    run()
    return false
  } catch (error) {
    if (error instanceof AppError && error.code === 'permission_denied') return true
    throw error
  }
}

t.test('a method without a scope, a level or a known parent stops the start', async (t) => {
  const [first] = methods().filter((method) => method.bindings.length > 0)
  if (first === undefined) throw new Error('the contract serves nothing over REST')
  const { rules } = first
  const [binding] = first.bindings
  if (binding === undefined) throw new Error('the method has a binding')
  const other = { ...binding, template: '/api/elsewhere/' }
  t.throws(() => createPolicy([{ ...first, rules: { ...rules, scope: '' } }]), /no scope/)
  t.throws(() => createPolicy([{ ...first, rules: { ...rules, level: 99 } }]), /no such level/)
  const unlevelled = { ...first, rules: { ...rules, level: rules.level === 0 ? 1 : 0 } }
  t.throws(() => createPolicy([unlevelled]), /level and parent disagree/)
  t.throws(() => createPolicy([{ ...first, rules: { ...rules, level: 5 } }]), /no such level/)
  t.throws(() => createPolicy([{ ...first, bindings: [other] }]), /no parent/)
})

t.test('every method that REST serves or that has a scope has a rule, and no other', async (t) => {
  const served = methods().filter(
    (method) => method.bindings.length > 0 || method.rules.scope !== '',
  )
  t.ok(served.length > 0)
  t.same([...policy.keys()].sort(), served.map((method) => method.path).sort())
})

t.test('fields that ask for more belong to methods of the contract', async (t) => {
  for (const { path, fieldLevels } of policy.values()) {
    const request = methods().find((method) => method.path === path)?.request
    for (const field of Object.keys(fieldLevels)) t.ok(request?.fields[field], `${path} ${field}`)
  }
  const closing = { access_control: 8, events_retention_days: 8 }
  t.same(policyOf('/sluice.v1.ProjectService/CreateProject').fieldLevels, closing)
  t.same(policyOf('/sluice.v1.ProjectService/UpdateProject').fieldLevels, closing)
})

t.test('calls of server libraries have a limit of their own, and nothing else', async (t) => {
  const counted = [...policy.values()].filter(({ rate }) => rate === 'library')
  t.same(counted.map(({ path }) => path.replace(/^.*\//, '')).sort(), [
    'GetFlagDefinitions',
    'GetLocalEvaluation',
    'GetLocalEvaluationByToken',
    'GetRemoteConfig',
    'ListFeatureFlagsByToken',
  ])
})

t.test('scopes', async (t) => {
  const read = policyOf('/sluice.v1.ProjectService/GetProject')
  const write = policyOf('/sluice.v1.ProjectService/UpdateProject')
  const cases: [string[], boolean, boolean][] = [
    [[], false, false],
    [['feature_flag:write', 'project', 'project:*'], false, false],
    [['project:read'], true, false],
    [['project:write'], true, true],
    [['*'], true, true],
  ]
  for (const [scopes, mayRead, mayWrite] of cases) {
    t.equal(!denies(() => requireScope(principal(scopes), read)), mayRead, `${scopes} read`)
    t.equal(!denies(() => requireScope(principal(scopes), write)), mayWrite, `${scopes} write`)
  }
  const unrestricted = { ...read, scope: '*' }
  t.ok(denies(() => requireScope(principal(['project:write']), unrestricted)))
  t.notOk(denies(() => requireScope(principal(['*']), unrestricted)))
})

t.test('levels of methods and of fields', async (t) => {
  const create = policyOf('/sluice.v1.ProjectService/CreateProject')
  const update = policyOf('/sluice.v1.ProjectService/UpdateProject')
  t.ok(denies(() => requireLevel(create, 1, [])))
  t.notOk(denies(() => requireLevel(create, 8, [])))
  t.notOk(denies(() => requireLevel(update, 1, ['name', '__proto__', 'constructor'])))
  t.ok(denies(() => requireLevel(update, 1, ['name', 'access_control'])))
  t.ok(denies(() => requireLevel(update, 1, ['events_retention_days'])))
  t.notOk(denies(() => requireLevel(update, 8, ['access_control', 'events_retention_days'])))
})
