import { navigate } from 'wouter-preact/use-browser-location'
import { type Cohort, type ListPersonsResponse, listCohortPersons } from '../../../client/index.ts'
import { client } from '../../data/client.ts'
import { usePaged } from '../../data/paged.ts'
import { DataTable } from '../../kit/data-table.tsx'
import { Empty } from '../../kit/empty.tsx'
import { Loaded } from '../../kit/loaded.tsx'
import { More } from '../../kit/more.tsx'
import { TableSkeleton } from '../../kit/skeleton.tsx'
import { addressOfPerson, personColumns } from '../persons/columns.tsx'
import { COHORT_TEXTS as TEXTS } from './texts.ts'

type MembersProps = {
  readonly project: number
  readonly cohort: Cohort
  /** Whether the criteria on screen have unsaved changes. */
  readonly isChanged: boolean
}

const PAGE = 100

/** Persons who are in a cohort now. */
export function Members({ project, cohort, isChanged }: MembersProps) {
  const { id, count, updated_at: version, is_static: isStatic } = cohort
  const question = `cohort-persons ${project} ${id} ${version} ${count}`
  const paged = usePaged<ListPersonsResponse>(question, (before, signal) => {
    const offset = before.reduce((sum, { results }) => sum + results.length, 0)
    const page = { project_id: project, id, limit: PAGE, ...(offset > 0 && { offset }) }
    return listCohortPersons(client, page, { signal })
  })
  const rows = paged.pages.flatMap(({ results }) => results)
  const hasMore = (paged.pages.at(-1)?.next ?? null) !== null
  return (
    <div class="cohort-members">
      <h2>{TEXTS.personsIn}</h2>
      {isChanged && <p class="cohort-note">{TEXTS.unsaved}</p>}
      <Loaded
        of={paged.first}
        skeleton={<TableSkeleton rows={8} />}
        isEmpty={({ results }) => results.length === 0}
        empty={
          <Empty title={TEXTS.noPersons}>
            {isStatic ? TEXTS.noPersonsStatic : TEXTS.noPersonsDynamic}
          </Empty>
        }
      >
        {({ count: all }) => (
          <>
            <DataTable
              caption={TEXTS.personsIn}
              columns={personColumns(project)}
              rows={rows}
              keyOf={({ uuid }) => uuid}
              onOpen={(person) => navigate(addressOfPerson(project, person))}
              onEnd={hasMore && paged.error === undefined ? paged.loadMore : undefined}
            />
            <More of={paged} hasMore={hasMore}>
              {TEXTS.shown(rows.length, all)}
            </More>
          </>
        )}
      </Loaded>
    </div>
  )
}
