import t from 'tap'
import { createPolicy } from '../../../../src/access/policy.ts'
import { createThrottle } from '../../../../src/access/throttle.ts'
import { createFlagLibraryHandlers } from '../../../../src/manage/flags/flag-library-handlers.ts'
import { createManagement } from '../../../../src/manage/management.ts'
import { methods } from '../../../../src/wire/proto/proto.ts'
import { publicBody } from '../../../../src/wire/proto/render.ts'
import {
  as,
  makeKey,
  makeUser,
  projectFields,
  refusal,
  startManagement,
  TEST_KEYS,
} from '../../../support/api/management.ts'
import { createFakeClock } from '../../../support/fake-clock.ts'

const NO_ACCESS = {
  is: 'permission_denied',
  code: 'permission_denied',
  attr: null,
  detail: "You don't have access to the project.",
}

t.test('calls of server libraries under the key of a project', async (t) => {
  const m = await startManagement(t)
  const { sql, owner, flags, projects } = m
  const key = owner.personalApiKey
  const token = owner.project?.apiToken ?? ''
  const page = { limit: 0, offset: 0 }
  const definitions = (by: string | undefined, request: object = { token }) =>
    flags.GetFlagDefinitions(request, as(by))

  t.test('all flags are listed, however many, and the page that is asked for', async (t) => {
    const count = 1_203
    await sql`
      insert into feature_flags (project_id, key, name, filters)
      select ${owner.project?.id ?? 0}, 'flag-' || at, '', '{}' from generate_series(1, ${count}) at`
    const list = async (request: object) => {
      const answer = await flags.ListFeatureFlagsByToken({ ...page, token, ...request }, as(key))
      return publicBody('sluice.v1.ListFeatureFlagsResponse', answer) as {
        count: number
        results: { key: string }[]
      }
    }
    const whole = await list({})
    t.equal(whole.count, count)
    t.equal(new Set(whole.results.map((each) => each.key)).size, count)
    t.equal((await list({ limit: 2_147_483_647 })).results.length, count)
    t.equal((await list({ limit: 5, offset: count - 2 })).results.length, 2)
    t.equal((await definitions(key)).flags?.length, count)
    await sql`delete from feature_flags`
  })

  t.test('the token counts, whatever the current project is', async (t) => {
    const made = await projects.CreateProject({ ...projectFields(), name: 'Other' }, as(key))
    await sql`
      insert into feature_flags (project_id, key, name, filters)
      values (${owner.project?.id ?? 0}, 'here', '', '{}'), (${made.id ?? 0}, 'there', '', '{}')`
    const keysBy = async (request: object) =>
      (await definitions(key, request)).flags?.map((each) => each.key)
    t.same(await keysBy({ token }), ['here'])
    t.same(await keysBy({ token: made.api_token ?? '' }), ['there'])
    t.same(await keysBy({}), ['there'], 'a project that was made is the current one')
    t.same(await keysBy({ token: '' }), ['there'])
  })

  t.test('a project that cannot be seen is refused, and so is a key that nobody has', async (t) => {
    const outsider = await makeUser(sql, 'outsider@example.com')
    const by = outsider.personalApiKey
    t.same(await refusal(definitions(by)), NO_ACCESS)
    t.match(await definitions(by, { token: outsider.project?.apiToken }), { flags: [] })
    for (const odd of ['phc_nobody', 'x', key, 'a\0b', '\ud800', ' ', 'é'.repeat(20)]) {
      t.same(await refusal(definitions(key, { token: odd })), NO_ACCESS, JSON.stringify(odd))
    }
    const place = { organizationId: owner.organizationId, level: 1 }
    const member = (await makeUser(sql, 'member@example.com', place)).personalApiKey
    t.match(await definitions(member), { flags: [{ key: 'here' }] })
    await sql`update projects set access_control = true where id = ${owner.project?.id ?? 0}`
    t.same(await refusal(definitions(member)), NO_ACCESS)
    await sql`update projects set access_control = false`
  })

  t.test('a key that is held to scopes or to other projects is refused', async (t) => {
    const plugins = await makeKey(sql, owner, { scopes: ['plugin:write'] })
    t.match(await refusal(definitions(plugins)), {
      is: 'permission_denied',
      detail: /feature_flag/,
    })
    const elsewhere = await makeKey(sql, owner, { projects: [999_999] })
    t.match(await refusal(definitions(elsewhere)), {
      is: 'permission_denied',
      detail: /the project/,
    })
    const reads = await makeKey(sql, owner, { scopes: ['feature_flag:read'] })
    t.match(await definitions(reads), { property_matching_version: 2 })
    t.match(await refusal(definitions(undefined)), { code: 'not_authenticated' })
    t.match(await refusal(definitions('phx_nobody')), { code: 'invalid_personal_api_key' })
  })

  t.test('with rate limits a project has 600 calls a minute, of all routes together', async (t) => {
    const clock = createFakeClock()
    const policy = createPolicy(methods())
    const throttle = createThrottle({ clock })
    const { authenticator } = m
    const management = createManagement({
      ...{ db: sql, clock },
      authenticator,
      policy,
      throttle,
    })
    const counted = createFlagLibraryHandlers({ management, db: sql, secrets: TEST_KEYS })
    const project_id = String(owner.project?.id)
    const routes = [
      () => counted.GetFlagDefinitions({ token }, as(key)),
      () => counted.GetLocalEvaluationByToken({ token }, as(key)),
      () => counted.GetLocalEvaluation({ project_id }, as(key)),
      () => counted.ListFeatureFlagsByToken({ ...page, token }, as(key)),
      () => counted.GetRemoteConfig({ project_id: '@current', token, key: 'here' }, as(key)),
    ]
    for (let call = 0; call < 120; call++) await Promise.all(routes.map((ask) => ask()))
    for (const ask of routes) t.match(await refusal(ask()), { is: 'resource_exhausted' })
    const other = await counted.GetFlagDefinitions({}, as(key))
    t.match(other, { flags: [{ key: 'there' }] }, 'another project has its own')
    await clock.advance(60_000)
    t.match(await counted.GetFlagDefinitions({ token }, as(key)), { flags: [{ key: 'here' }] })
  })

  t.test('a key that was replaced names no project any longer', async (t) => {
    const reset = await projects.ResetProjectToken({ id: String(owner.project?.id) }, as(key))
    t.same(await refusal(definitions(key)), NO_ACCESS)
    t.match(await definitions(key, { token: reset.api_token }), { flags: [{ key: 'here' }] })
  })

  t.test('a user without any project has no current one', async (t) => {
    const lonely = await makeUser(sql, 'lonely@example.com')
    await sql`delete from projects where id = ${lonely.project?.id ?? 0}`
    const asked = definitions(lonely.personalApiKey, {})
    t.match(await refusal(asked), { is: 'not_found', detail: 'Project not found.' })
  })
})
