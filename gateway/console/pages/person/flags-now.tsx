import { useState } from 'preact/hooks'
import { evaluateFlags, type FlagOutcome } from '../../../client/index.ts'
import { client } from '../../data/client.ts'
import { useResource } from '../../data/resource.ts'
import { Select } from '../../kit/field.tsx'
import { Loaded } from '../../kit/loaded.tsx'
import { TableSkeleton } from '../../kit/skeleton.tsx'
import { PERSON_TEXTS as TEXTS } from './texts.ts'

type FlagsNowProps = {
  readonly project: number
  /** One of the person's ids: rollouts are counted over it. */
  readonly distinctId: string
  readonly ids: readonly string[]
}

/** Value of each active flag for the person, and the reason. */
export function FlagsNow({ project, distinctId, ids }: FlagsNowProps) {
  const [id, choose] = useState(distinctId)
  const flags = useResource(`flags-of ${project} ${id}`, (signal) =>
    evaluateFlags(client, { project_id: project, distinct_id: id }, { signal }),
  )
  return (
    <section class="person-card" aria-labelledby="flags">
      <h2 id="flags">{TEXTS.flags}</h2>
      {ids.length > 1 && (
        <Select
          label={TEXTS.flagsOf}
          value={id}
          options={ids.map((value) => ({ value, label: value }))}
          onChange={({ currentTarget: { value } }) => choose(value)}
        />
      )}
      <Loaded
        of={flags}
        skeleton={<TableSkeleton rows={4} />}
        isEmpty={({ results }) => results.length === 0}
        empty={<p class="person-none">{TEXTS.noFlags}</p>}
      >
        {({ results }) => (
          <ul class="person-flags">
            {results.map((outcome) => (
              <li key={outcome.key}>
                <a href={`/project/${project}/feature_flags/${outcome.flag_id}`}>{outcome.key}</a>
                <strong>{outcomeOf(outcome)}</strong>
                <span class="person-since">{outcome.reason?.description}</span>
              </li>
            ))}
          </ul>
        )}
      </Loaded>
    </section>
  )
}

function outcomeOf({ value }: FlagOutcome): string {
  if (typeof value === 'boolean') return value ? TEXTS.on : TEXTS.off
  return typeof value === 'string' ? value : JSON.stringify(value)
}
