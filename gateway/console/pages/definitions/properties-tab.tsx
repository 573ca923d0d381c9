import { labelOf } from '../../../../src/core/charts/label.ts'
import { useQuery } from '../../data/url.ts'
import { Button } from '../../kit/button.tsx'
import { Empty } from '../../kit/empty.tsx'
import { Field } from '../../kit/field.tsx'
import { Loaded } from '../../kit/loaded.tsx'
import { matches } from '../../kit/picker/choice.ts'
import { meaningOf } from '../../kit/picker/known-names.ts'
import { usePropertySample } from '../../kit/picker/suggestions.ts'
import { TableSkeleton } from '../../kit/skeleton.tsx'
import { type PropertyRow, PropertyTable } from './property-table.tsx'
import { DEFINITIONS_TEXTS as TEXTS } from './texts.ts'

/** Properties that pickers offer. */
export function PropertiesTab() {
  const [query, setQuery] = useQuery()
  const search = query.get('search') ?? ''
  const sample = usePropertySample()
  return (
    <>
      <div class="definitions-filters">
        <Field
          label={TEXTS.searchProperties}
          type="search"
          value={search}
          maxLength={400}
          onInput={({ currentTarget: { value } }) =>
            setQuery({ search: value || undefined }, { replace: true })
          }
        />
      </div>
      <Loaded
        of={sample}
        skeleton={<TableSkeleton rows={8} />}
        isEmpty={({ event, person }) => event.length + person.length === 0}
        empty={<Empty title={TEXTS.noPropertiesTitle}>{TEXTS.noPropertiesYet}</Empty>}
      >
        {({ read, event, person }) => {
          const all: readonly PropertyRow[] = [
            ...event.map((each) => ({ ...each, kind: 'event' as const, read: read.event })),
            ...person.map((each) => ({ ...each, kind: 'person' as const, read: read.person })),
          ]
          const rows = all.filter(({ name }) =>
            matches(search, [name, labelOf(name), meaningOf(name) ?? '']),
          )
          if (rows.length === 0) {
            return (
              <Empty
                title={TEXTS.noneTitle}
                action={
                  <Button onClick={() => setQuery({ search: undefined })}>{TEXTS.clear}</Button>
                }
              >
                {TEXTS.none}
              </Empty>
            )
          }
          return (
            <>
              <p class="definitions-note">{TEXTS.note}</p>
              <PropertyTable rows={rows} isMixed />
            </>
          )
        }}
      </Loaded>
    </>
  )
}
