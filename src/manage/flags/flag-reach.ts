/** Number of persons or groups for which a condition set holds. */
import type { FlagReach } from '../../../proto/gen/sluice/v1/FlagReach.ts'
import type { GetFlagReachRequest__Output } from '../../../proto/gen/sluice/v1/GetFlagReachRequest.ts'
import { invalid } from '../../access/errors.ts'
import type { ProjectId } from '../../core/ids.ts'
import { isObject, type Json, listOf, own } from '../../core/json.ts'
import { COHORT_COUNTS_TIMEOUT_MS } from '../../core/limits/limits-query.ts'
import { countGroupsThat } from '../../event-store/postgres/persons/groups-sql.ts'
import { countPersons } from '../../event-store/postgres/persons/person-list-store.ts'
import { withinBudget } from '../../event-store/postgres/reads/event-page.ts'
import type { Members } from '../../events/trees/members.ts'
import { readEvents } from '../../postgres/bounded-reads.ts'
import type { Db } from '../../postgres/db.ts'
import { readConditions } from '../../query/asked-cohorts.ts'
import type { ScanDeps } from '../../query/list/events-list.ts'
import { createTimeBudget, isOutOfTime } from '../../query/time-budget.ts'
import { objectOf } from '../wire-value.ts'

/** @throws {AppError} as `countThatMeet`, and `invalid_argument` of a condition of another type. */
export async function flagReach(
  deps: ScanDeps,
  project: ProjectId,
  request: GetFlagReachRequest__Output,
  signal: AbortSignal,
): Promise<FlagReach> {
  const index = request.group_type_index
  const conditions = conditionsOf(request, index)
  const asked = { conditions, name: 'The condition set', attr: 'condition', index }
  const counted = await countThatMeet(deps, project, asked, signal)
  return counted === undefined
    ? {}
    : { users_affected: counted.affected, total_users: counted.total }
}

type Asked = {
  /** All of them must hold. */
  readonly conditions: readonly Json[]
  /** Name of the object that has the conditions; begins a sentence. */
  readonly name: string
  /** Field that errors name. */
  readonly attr: string
  /** Groups of this type are counted in place of persons. */
  readonly index?: number | undefined
}

/**
 * Counts the persons or groups that conditions hold for, and all of them; undefined when that took
 * too long.
 * @throws {AppError} `invalid_argument` of a condition that SQL cannot count; `resource_exhausted`
 * when too many queries of the organization wait.
 */
export async function countThatMeet(
  { sql, clock, scans }: ScanDeps,
  project: ProjectId,
  { conditions, name, attr, index }: Asked,
  signal: AbortSignal,
): Promise<{ readonly affected: number; readonly total: number } | undefined> {
  const own = sql.withSignal(signal)
  const count = async () => {
    const budget = createTimeBudget(clock, COHORT_COUNTS_TIMEOUT_MS)
    const members = await readConditions(own, project, { conditions, name }, clock.now())
    if (!members.ok) throw invalid(members.error, attr)
    const counted = (who: Members | undefined) =>
      readEvents(own, async (tx) => ({
        value: await withinBudget(tx, budget, () => countThose(tx, project, { index, who })),
      }))
    const total = await counted(undefined)
    const affected = conditions.length === 0 ? total : await counted(members.value)
    return { affected, total }
  }
  try {
    return await scans.run(signal, count)
  } catch (error) {
    if (isOutOfTime(error)) return undefined
    throw error
  }
}

async function countThose(
  tx: Db,
  project: ProjectId,
  { index, who }: { readonly index: number | undefined; readonly who: Members | undefined },
): Promise<number> {
  if (index !== undefined) return await countGroupsThat(tx, { project, index, who })
  const where = who && ({ kind: 'cohort', members: who, negated: false } as const)
  return await countPersons(tx, { project, where })
}

export function hasConditions({ condition }: GetFlagReachRequest__Output): boolean {
  return listOf(own(objectOf(condition), 'properties')).length > 0
}

/** Conditions on a group become conditions on the counted items. */
function conditionsOf(
  request: GetFlagReachRequest__Output,
  index: number | undefined,
): readonly Json[] {
  return listOf(own(objectOf(request.condition), 'properties')).map((condition) => {
    if (!isObject(condition)) throw invalid('A condition must be an object.', 'condition')
    const type = own(condition, 'type') ?? 'person'
    if (type === 'flag')
      throw invalid('Who meets a condition on a flag is not counted.', 'condition')
    if (index === undefined) {
      if (type === 'person' || type === 'cohort') return condition
      throw invalid('Persons are counted by conditions on persons and cohorts.', 'condition')
    }
    if (type !== 'group') throw invalid('Groups are counted by conditions on groups.', 'condition')
    return { ...condition, type: 'person' }
  })
}
