import { PostHog } from 'posthog-node'
import t from 'tap'
import { projectId } from '../../../src/core/ids.ts'
import type { Json } from '../../../src/core/json.ts'
import { evaluate } from '../../../src/flags/evaluate.ts'
import { loadProject } from '../../../src/store/projects/project-state-store.ts'
import { PIECES_METADATA } from '../../../src/wire/proto/page-pieces.ts'
import { publicBody } from '../../../src/wire/proto/render.ts'
import {
  as,
  flagFields,
  jsonField,
  makeUser,
  projectFields,
  refusal,
  startManagement,
} from '../../support/api/management.ts'
import { compileSnapshot } from '../../support/conditions/compile-snapshot.ts'

type Body = {
  flags: { id: number; key: string; filters: unknown }[]
  group_type_mapping: Record<string, string>
  cohorts: Record<string, unknown> | null
}

t.test('definitions for local evaluation', async (t) => {
  const m = await startManagement(t)
  const { sql, owner, flags, projects } = m
  const key = owner.personalApiKey
  const project = owner.project?.id ?? 0
  const project_id = String(project)
  const create = (name: string, filters: Json, more: object = {}) => {
    const fields = { ...flagFields(), project_id, key: name, filters: jsonField(filters), ...more }
    return flags.CreateFeatureFlag(fields, as(key))
  }
  const cohort = async (filters: object, more: { isStatic?: boolean; deleted?: boolean } = {}) => {
    const [row] = await sql<{ id: number }[]>`
      insert into cohorts (project_id, filters, is_static, deleted)
      values (${project}, ${JSON.stringify(filters)}::text::json, ${more.isStatic === true},
        ${more.deleted === true})
      returning id`
    return row?.id ?? 0
  }
  const ask = async (more: object = {}, by = key): Promise<Body> => {
    const answer = await flags.GetLocalEvaluation({ project_id, ...more }, as(by))
    const body = publicBody('sluice.v1.GetLocalEvaluationResponse', answer)
    const { text: none, cohorts, ...rest } = body
    const joining = as(by, { [PIECES_METADATA]: 'joined' })
    const { text } = await flags.GetLocalEvaluation({ project_id, ...more }, joining)
    const shown = { ...rest, ...(cohorts === null ? {} : { cohorts }) }
    t.equal(text, JSON.stringify(shown), 'a gateway gets the same, as one text')
    t.equal(none, null)
    return { ...rest, cohorts } as Body
  }
  const inCohort = (id: number) => ({ key: 'id', type: 'cohort', value: id })
  const oneSet = (...properties: Json[]) => ({ groups: [{ properties, rollout_percentage: 100 }] })

  t.test('a project without flags has empty definitions', async (t) => {
    t.same(await ask(), { flags: [], group_type_mapping: {}, cohorts: null })
    t.same((await ask({ send_cohorts: '' })).cohorts, {})
  })

  t.test('every field of a flag is there, and its filters as sent', async (t) => {
    const filters = { payloads: { true: '1' }, groups: [{ rollout_percentage: 5, properties: [] }] }
    const flag = await create('whole', filters, {
      name: 'Described',
      active: false,
      evaluation_contexts: jsonField(['web']),
      bucketing_identifier: 'device_id',
      evaluation_runtime: 'client',
      has_encrypted_payloads: true,
      ensure_experience_continuity: true,
    })
    const [sent] = (await ask()).flags
    t.same(sent, {
      id: flag.id,
      team_id: project,
      name: 'Described',
      key: 'whole',
      filters,
      deleted: false,
      active: false,
      ensure_experience_continuity: true,
      version: 1,
      bucketing_identifier: 'device_id',
      evaluation_runtime: 'client',
      evaluation_contexts: ['web'],
      has_encrypted_payloads: true,
    })
    t.equal(JSON.stringify(sent?.filters), JSON.stringify(filters), 'keys in their order')
  })

  t.test('a deleted flag is left out at once', async (t) => {
    const flag = await create('deleted', {})
    const fields = { ...flagFields(), project_id, id: String(flag.id), deleted: true }
    await flags.UpdateFeatureFlag(fields, as(key))
    t.notOk((await ask()).flags.some((each) => each.id === flag.id))
  })

  t.test('group types are named by their index', async (t) => {
    await sql`
      insert into group_types (project_id, group_type, type_index)
      values (${project}, 'company', 0), (${project}, 'team', 3), (999999, 'foreign', 1)`
    t.same((await ask()).group_type_mapping, { 0: 'company', 3: 'team' })
  })

  t.test('cohorts are sent when asked for, else a simple one is put into its flag', async (t) => {
    const plan = { key: 'plan', type: 'person', value: 'pro', operator: 'exact' }
    const inner = await cohort({ properties: { type: 'AND', values: [plan] } })
    const outer = await cohort({ properties: { type: 'OR', values: [inCohort(inner)] } })
    const fixed = await cohort({ properties: { type: 'AND', values: [] } }, { isStatic: true })
    await cohort({ properties: plan })
    const filters = { groups: [{ properties: [inCohort(inner)], rollout_percentage: 40 }] }
    await create('simple-cohort', filters)
    await create('nested-cohort', oneSet(inCohort(outer)))
    await create('static-cohort', oneSet(inCohort(fixed)))
    const filtersIn = ({ flags }: Body, name: string) =>
      flags.find((flag) => flag.key === name)?.filters

    const plain = await ask()
    t.equal(plain.cohorts, null)
    t.same(filtersIn(plain, 'simple-cohort'), {
      groups: [{ properties: [plan], rollout_percentage: 40 }],
    })
    t.same(filtersIn(plain, 'nested-cohort'), oneSet(inCohort(outer)))

    const whole = await ask({ send_cohorts: '' })
    t.same(filtersIn(whole, 'simple-cohort'), filters)
    t.same(whole.cohorts, {
      [inner]: { type: 'AND', values: [plan] },
      [outer]: { type: 'OR', values: [inCohort(inner)] },
    })
    t.same((await ask({ send_cohorts: 'false' })).cohorts, whole.cohorts, 'any value asks')
  })

  t.test('the current posthog-node evaluates by them as we do', async (t) => {
    const made = await projects.CreateProject({ ...projectFields(), name: 'SDK' }, as(key))
    const place = { project_id: String(made.id) }
    const make = async (name: string, filters: Json) => {
      const fields = { ...flagFields(), ...place, key: name, filters: jsonField(filters) }
      return await flags.CreateFeatureFlag(fields, as(key))
    }
    const [row] = await sql<{ id: number }[]>`
      insert into cohorts (project_id, filters) values (${made.id ?? 0}, ${JSON.stringify([
        { key: 'plan', type: 'person', value: 'pro', operator: 'exact' },
        { type: 'OR', values: [{ key: 'beta', type: 'person', value: ['yes'] }] },
      ])}::text::json) returning id`
    const base = await make('base', oneSet(inCohort(row?.id ?? 0)))
    const onBase = {
      type: 'flag',
      key: String(base.id),
      value: true,
      operator: 'flag_evaluates_to',
    }
    await make('dependent', oneSet(onBase))
    await make('half', { groups: [{ properties: [], rollout_percentage: 50 }] })
    await make('single-set', { properties: [], rollout_percentage: 50 })
    await make('multi', {
      groups: [{ properties: [] }],
      multivariate: {
        variants: [
          { key: 'a', rollout_percentage: 40 },
          { key: 'b', rollout_percentage: 60 },
        ],
      },
    })
    const definitions = await ask({ ...place, send_cohorts: '' })
    const client = new PostHog('token', {
      host: 'http://definitions.invalid',
      personalApiKey: 'key',
      fetch: async () => Response.json(definitions),
    })
    t.teardown(() => client.shutdown())
    await client.waitForLocalEvaluationReady()
    const snapshot = compileSnapshot((await loadProject(sql, projectId(made.id ?? 0))).sources)
    for (const [distinctId, plan] of [
      ['u1', 'pro'],
      ['u2', 'free'],
      ['u3', 'pro'],
      ['u4', 'pro'],
    ] as const) {
      const personProperties = { plan, beta: 'yes' }
      const theirs = await client.getAllFlags(distinctId, {
        personProperties,
        onlyEvaluateLocally: true,
      })
      const { results } = evaluate(snapshot, { distinctId, personProperties }, {}, 0)
      t.same(theirs, Object.fromEntries(results.map((each) => [each.key, each.value])), distinctId)
    }
  })

  t.test('they are of the own project alone', async (t) => {
    const outsider = await makeUser(sql, 'outsider@example.com')
    const by = outsider.personalApiKey
    t.match(await refusal(ask({}, by)), { is: 'permission_denied' })
    const theirs = await ask({ project_id: String(outsider.project?.id), send_cohorts: '' }, by)
    t.same(theirs, { flags: [], group_type_mapping: {}, cohorts: {} })
  })
})
