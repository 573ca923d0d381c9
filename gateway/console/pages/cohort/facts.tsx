import { type Cohort, listCohortUses } from '../../../client/index.ts'
import { client } from '../../data/client.ts'
import { formatNumber } from '../../data/format.ts'
import { type Resource, useResource } from '../../data/resource.ts'
import { Button } from '../../kit/button.tsx'
import { Loaded } from '../../kit/loaded.tsx'
import { TableSkeleton } from '../../kit/skeleton.tsx'
import { Time } from '../../kit/time.tsx'
import { COHORT_TEXTS as TEXTS } from './texts.ts'
import { isUsed, UseList } from './used-by.tsx'

type FactsProps = {
  readonly project: number
  readonly cohort: Cohort
  readonly resource: Resource<Cohort>
}

/** Numbers of a cohort, and where it is used. */
export function Facts({ project, cohort, resource }: FactsProps) {
  const { count, is_static: isStatic, created_at, created_by: author, updated_at } = cohort
  return (
    <div class="cohort-side">
      <section class="cohort-card">
        <dl class="cohort-facts">
          <dt>{TEXTS.persons}</dt>
          <dd class="cohort-number figure">
            {count === null ? TEXTS.unknownCount : formatNumber(count)}
          </dd>
          <dt>{TEXTS.type}</dt>
          <dd>{isStatic ? TEXTS.static : TEXTS.dynamic}</dd>
          <dt>{TEXTS.calculated}</dt>
          <dd>{resource.at !== undefined && <Time value={resource.at} />}</dd>
          <dt>{TEXTS.changed}</dt>
          <dd>
            <Time value={updated_at} />
          </dd>
          <dt>{TEXTS.created}</dt>
          <dd>
            <Time value={created_at} />
            {author !== null && ` ${TEXTS.by(author.first_name || author.email)}`}
          </dd>
        </dl>
        <Button busy={resource.isLoading} onClick={resource.reload}>
          {TEXTS.recalculate}
        </Button>
      </section>
      <UsedBy project={project} id={cohort.id} />
    </div>
  )
}

function UsedBy({ project, id }: { readonly project: number; readonly id: number }) {
  const uses = useResource(`cohort-uses ${project} ${id}`, (signal) =>
    listCohortUses(client, { project_id: project, id }, { signal }),
  )
  return (
    <section class="cohort-card" aria-labelledby="cohort-used">
      <h2 id="cohort-used">{TEXTS.usedBy}</h2>
      <Loaded of={uses} skeleton={<TableSkeleton rows={2} />}>
        {(found) => (
          <>
            {!isUsed(found) && <p class="cohort-note">{TEXTS.unused}</p>}
            <UseList project={project} uses={found} />
            {found.unread.length > 0 && (
              <p class="cohort-note">{TEXTS.unread(found.unread.join(', '))}</p>
            )}
          </>
        )}
      </Loaded>
    </section>
  )
}
