import { listPersonCohorts } from '../../../client/index.ts'
import { client } from '../../data/client.ts'
import { nameOfCohort } from '../../data/cohorts.ts'
import { useResource } from '../../data/resource.ts'
import { Loaded } from '../../kit/loaded.tsx'
import { TableSkeleton } from '../../kit/skeleton.tsx'
import { PERSON_TEXTS as TEXTS } from './texts.ts'

type CohortsNowProps = { readonly project: number; readonly uuid: string }

/** Cohorts of the person, and those whose membership is unknown. */
export function CohortsNow({ project, uuid }: CohortsNowProps) {
  const cohorts = useResource(`cohorts-of ${project} ${uuid}`, (signal) =>
    listPersonCohorts(client, { project_id: project, id: uuid, by: 'id' }, { signal }),
  )
  return (
    <section class="person-card" aria-labelledby="cohorts">
      <h2 id="cohorts">{TEXTS.cohorts}</h2>
      <Loaded
        of={cohorts}
        skeleton={<TableSkeleton rows={2} />}
        isEmpty={({ results, unknown }) => results.length + unknown.length === 0}
        empty={<p class="person-none">{TEXTS.noCohorts}</p>}
      >
        {({ results, unknown }) => (
          <ul class="person-flags">
            {results.map(({ id, name, is_static: isStatic }) => (
              <li key={id}>
                <a href={`/project/${project}/cohorts/${id}`}>{nameOfCohort({ id, name })}</a>
                {isStatic && <span class="person-since">{TEXTS.static}</span>}
              </li>
            ))}
            {unknown.map(({ id, name, reason }) => (
              <li key={id}>
                <a href={`/project/${project}/cohorts/${id}`}>{nameOfCohort({ id, name })}</a>
                <strong>{TEXTS.unknownCohort}</strong>
                <span class="person-since">{reason}</span>
              </li>
            ))}
          </ul>
        )}
      </Loaded>
    </section>
  )
}
