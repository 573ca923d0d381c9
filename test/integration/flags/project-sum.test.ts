import t from 'tap'
import { PROJECT_CONDITIONS_MAX } from '../../../src/flags/checks/project-conditions.ts'
import {
  as,
  flagFields,
  jsonField,
  refusal,
  startManagement,
} from '../../support/api/management.ts'

t.test('a change that leaves a project with too many conditions is refused', async (t) => {
  const { sql, owner, flags } = await startManagement(t)
  const [key, project] = [owner.personalApiKey, owner.project?.id ?? 0]
  const set = (count: number) => {
    const properties = Array.from({ length: count }, () => {
      return { key: 'plan', type: 'person', value: 'pro', operator: 'exact' }
    })
    return { groups: [{ properties, rollout_percentage: 100 }] }
  }
  // A release without the bound has stored more than it allows.
  await sql`insert into feature_flags (project_id, key, filters) values (${project}, 'large',
    ${JSON.stringify(set(PROJECT_CONDITIONS_MAX - 10))}::text::json)`
  const create = (name: string, count: number) => {
    const filters = jsonField(set(count))
    const fields = { ...flagFields(), project_id: String(project), key: name, filters }
    return flags.CreateFeatureFlag(fields, as(key))
  }
  const kept = await create('kept', 5)
  t.match(await refusal(create('more', 5)), { code: 'invalid_input', attr: 'filters' })
  const change = { ...flagFields(), project_id: String(project), id: String(kept.id) }
  const renamed = await flags.UpdateFeatureFlag({ ...change, name: 'Kept' }, as(key))
  t.equal(renamed.name, 'Kept', 'what changes no conditions is no matter')
})
