import t from 'tap'
import { WORK_OF_TURN } from '../../../src/core/work/turns.ts'
import { PIECES_METADATA } from '../../../src/wire/proto/page-pieces.ts'
import { as, flagFields, startManagement } from '../../support/api/management.ts'
import { countTurns } from '../../support/turns.ts'

const CALLERS = 20

t.test(
  'servers that ask for definitions at a time share an answer, written in turns',
  async (t) => {
    const { owner, flags } = await startManagement(t)
    const project_id = String(owner.project?.id ?? 0)
    const by = as(owner.personalApiKey)
    await flags.CreateFeatureFlag({ ...flagFields(), project_id, key: 'first' }, by)
    const turns = countTurns()
    const answered: number[] = []
    const ask = async (more: object = {}) => {
      const answer = await flags.GetLocalEvaluation({ project_id, ...more }, by)
      answered.push(turns.count())
      return answer.flags
    }
    const all = await Promise.all(Array.from({ length: CALLERS }, () => ask()))
    turns.end()
    t.ok(new Set(all).size <= 2, 'of the first one, and of all who came while it was made')
    t.ok(new Set(answered).size >= CALLERS - 2, 'no two have it in one turn')
    await flags.CreateFeatureFlag({ ...flagFields(), project_id, key: 'second' }, by)
    t.equal((await ask())?.length, 2, 'who asks later has what there is by then')
  },
)

t.test('definitions of a large project are made in many turns', async (t) => {
  const { sql, owner, flags } = await startManagement(t)
  const project = owner.project?.id ?? 0
  const properties = Array.from({ length: 1_000 }, (_, at) => {
    return { type: 'person', key: `p${at}`, operator: 'icontains', value: `v${at}` }
  })
  const filters = JSON.stringify({ groups: [{ properties }] })
  await sql`
    insert into feature_flags (project_id, key, filters)
    select ${project}, 'flag ' || at, ${filters}::text::json from generate_series(1, 45) at`
  const joining = as(owner.personalApiKey, { [PIECES_METADATA]: 'joined' })
  const turns = countTurns()
  const { text = '' } = await flags.GetFlagDefinitions({}, joining)
  turns.end()
  const { flags: given, property_matching_version } = JSON.parse(text)
  t.equal(given.length, 45)
  t.equal(property_matching_version, 2)
  t.ok(turns.count() > text.length / 100 / WORK_OF_TURN, `${turns.count()} turns`)
})
