import { useEffect, useState } from 'preact/hooks'
import { useLocation } from 'wouter-preact'
import { type ListPersonsResponse, listPersons } from '../../../client/index.ts'
import './persons.css'
import { client } from '../../data/client.ts'
import { usePaged } from '../../data/paged.ts'
import { useProject } from '../../data/projects.ts'
import { after } from '../../data/timers.ts'
import { useQuery, useQueryState } from '../../data/url.ts'
import { Button } from '../../kit/button.tsx'
import { DataTable } from '../../kit/data-table.tsx'
import { Empty, FirstEvent } from '../../kit/empty.tsx'
import { Field } from '../../kit/field.tsx'
import { filtersOf, type PropertyFilter, textOfFilters } from '../../kit/filters/filter.ts'
import { FilterChips } from '../../kit/filters/filter-chips.tsx'
import { later } from '../../kit/later.tsx'
import { Loaded } from '../../kit/loaded.tsx'
import { More } from '../../kit/more.tsx'
import { PageHead } from '../../kit/page-head.tsx'
import { TableSkeleton } from '../../kit/skeleton.tsx'
import { addressOfPerson, personColumns } from './columns.tsx'
import { PERSONS_TEXTS as TEXTS } from './texts.ts'

const SaveCohortDialog = later(
  async () => (await import('../../kit/drawers/save-cohort-dialog.tsx')).SaveCohortDialog,
)

const PAGE = 100
const TYPING_MS = 200

export default function PersonsPage() {
  const { id } = useProject()
  const [search, setSearch] = useQueryState('search', '')
  const [filterText, setFilterText] = useQueryState('properties', '')
  const filters = filtersOf(filterText)
  const setFilters = (all: readonly PropertyFilter[]) => setFilterText(textOfFilters(all) ?? '')
  const selection = {
    ...(search !== '' && { search }),
    ...(filters.length > 0 && { properties: filterText }),
  }
  const asked = { project_id: id, ...selection }
  const csv = new URLSearchParams({ ...selection, format: 'csv' })
  const [, navigate] = useLocation()
  const [, setQuery] = useQuery()
  const [isSaving, setSaving] = useState(false)
  const paged = usePaged<ListPersonsResponse>(
    `persons ${JSON.stringify(asked)}`,
    (before, signal) => {
      const offset = before.reduce((sum, { results }) => sum + results.length, 0)
      const page = { limit: PAGE, include_last_seen: true, ...(offset > 0 && { offset }) }
      return listPersons(client, { ...asked, ...page }, { signal })
    },
  )
  const rows = paged.pages.flatMap(({ results }) => results)
  const hasMore = (paged.pages.at(-1)?.next ?? null) !== null
  return (
    <>
      <PageHead title={TEXTS.title}>
        {rows.length > 0 && (
          <>
            <a
              class="button button-plain"
              download="persons.csv"
              href={`/api/projects/${id}/persons/?${csv}`}
            >
              {TEXTS.csv}
            </a>
            <Button onClick={() => setSaving(true)}>{TEXTS.saveCohort}</Button>
          </>
        )}
      </PageHead>
      {isSaving && (
        <SaveCohortDialog
          project={id}
          onClose={() => setSaving(false)}
          load={async (page, signal) => {
            const { results, next } = await listPersons(client, { ...asked, ...page }, { signal })
            return { persons: results, hasMore: next !== null }
          }}
        />
      )}
      <SearchField value={search} onSearch={setSearch} />
      <div class="persons-filters">
        <FilterChips of="persons" filters={filters} onChange={setFilters} />
      </div>
      <Loaded
        of={paged.first}
        skeleton={<TableSkeleton rows={14} />}
        isEmpty={({ results }) => results.length === 0}
        empty={
          <Nobody
            project={id}
            search={search}
            isFiltered={filters.length > 0}
            onClear={() => setQuery({ search: undefined, properties: undefined })}
          />
        }
      >
        {({ count }) => (
          <>
            <DataTable
              caption={TEXTS.rows}
              columns={personColumns(id, true)}
              rows={rows}
              keyOf={({ uuid }) => uuid}
              onOpen={(person) => navigate(addressOfPerson(id, person))}
              onEnd={hasMore && paged.error === undefined ? paged.loadMore : undefined}
            />
            <More of={paged} hasMore={hasMore}>
              {TEXTS.shown(rows.length, count)}
            </More>
          </>
        )}
      </Loaded>
    </>
  )
}

type SearchFieldProps = {
  readonly value: string
  readonly onSearch: (search: string, how: { readonly replace: boolean }) => void
}

/** Search field that searches once typing has paused. */
function SearchField({ value, onSearch }: SearchFieldProps) {
  const [draft, setDraft] = useState(value)
  // The back button changes the address, and with it the field.
  useEffect(() => setDraft(value), [value])
  useEffect(() => {
    const text = draft.trim()
    if (text === value) return undefined
    return after(TYPING_MS, () => onSearch(text, { replace: true }))
  }, [draft])
  return (
    <div class="persons-search">
      <Field
        label={TEXTS.search}
        type="search"
        value={draft}
        placeholder={TEXTS.searchPlace}
        autocomplete="off"
        spellcheck={false}
        maxLength={400}
        onInput={({ currentTarget }) => setDraft(currentTarget.value)}
      />
    </div>
  )
}

type NobodyProps = {
  readonly project: number
  readonly search: string
  readonly isFiltered: boolean
  readonly onClear: () => void
}

function Nobody({ project, search, isFiltered, onClear }: NobodyProps) {
  if (search === '' && !isFiltered) {
    return (
      <Empty title={TEXTS.emptyTitle} action={<FirstEvent project={project} />}>
        {TEXTS.empty}
      </Empty>
    )
  }
  return (
    <Empty title={TEXTS.noneTitle} action={<Button onClick={onClear}>{TEXTS.clear}</Button>}>
      {isFiltered ? TEXTS.nobodyPasses : TEXTS.none(search)}
    </Empty>
  )
}
