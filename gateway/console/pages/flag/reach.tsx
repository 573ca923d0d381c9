import { getFlagReach } from '../../../client/index.ts'
import { client } from '../../data/client.ts'
import { formatNumber } from '../../data/format.ts'
import type { JsonRecord } from '../../data/json.ts'
import { useResource } from '../../data/resource.ts'
import { useSettled } from '../../data/settled.ts'
import { propertiesOf, rolloutOf } from './model.ts'

type ReachProps = {
  readonly project: number
  readonly set: JsonRecord
  /** Index of the group type that the set is about. */
  readonly index: number | undefined
}

/** Number of actors that match a condition set, and the share that its rollout selects. */
export function Reach({ project, set, index }: ReachProps) {
  return <p class="flag-reach figure">{useReach({ project, set, index })}</p>
}

/** Reach in words; empty while it is not known. */
export function useReach({ project, set, index }: ReachProps): string {
  const properties = propertiesOf(set)
  // Incomplete conditions, and those on flags, are not counted.
  const canCount = properties.every(({ type, key }) => type !== 'flag' && key !== '')
  const condition = { properties }
  const question = JSON.stringify([project, condition, index])
  const settled = useSettled(question)
  const { data, error, isStale } = useResource(
    canCount ? `flag-reach ${settled}` : undefined,
    (signal) =>
      getFlagReach(
        client,
        {
          project_id: project,
          condition,
          ...(index === undefined ? {} : { group_type_index: index }),
        },
        { signal },
      ),
  )
  if (!canCount || error !== undefined)
    return 'The number of matching persons cannot be calculated.'
  if (data === undefined || isStale || settled !== question) return 'Counting…'
  const { users_affected: affected, total_users: total } = data
  if (affected === null || total === null) return 'Counting took too long.'
  const rollout = rolloutOf(set)
  const who = index === undefined ? 'persons' : 'groups'
  const match = `${formatNumber(affected)} of ${formatNumber(total)} ${who} match`
  if (rollout >= 100) return `${match}`
  return `${match}, about ${formatNumber(Math.round((affected * rollout) / 100))} get it`
}
