import t from 'tap'
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
