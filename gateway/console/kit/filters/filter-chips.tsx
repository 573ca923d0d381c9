import { useState } from 'preact/hooks'
import { Button } from '../button.tsx'
import { Icon } from '../icons.tsx'
import { later } from '../later.tsx'
import { type FilterUse, type PropertyFilter, sentenceOf } from './filter.ts'

const FilterDialog = later(async () => (await import('./filter-dialog.tsx')).FilterDialog)

type FilterChipsProps = {
  readonly filters: readonly PropertyFilter[]
  /** @default questions */
  readonly of?: FilterUse
  readonly onChange: (filters: readonly PropertyFilter[]) => void
}

/** Filters in a row: a click edits one, its cross removes it. */
export function FilterChips({ filters, of = 'questions', onChange }: FilterChipsProps) {
  const [edited, setEdited] = useState<number>()
  const save = (filter: PropertyFilter) => {
    onChange(
      edited === undefined || edited >= filters.length
        ? [...filters, filter]
        : filters.map((each, index) => (index === edited ? filter : each)),
    )
    setEdited(undefined)
  }
  return (
    <div class="chips">
      {filters.map((filter, index) => (
        <span key={JSON.stringify(filter)} class="chip">
          <button
            type="button"
            class="chip-text"
            title={filter.key}
            onClick={() => setEdited(index)}
          >
            {filter.type === 'person' && <span class="chip-type">person </span>}
            {sentenceOf(filter)}
          </button>
          <button
            type="button"
            class="chip-close"
            aria-label={`Remove: ${sentenceOf(filter)}`}
            onClick={() => onChange(filters.filter((_, at) => at !== index))}
          >
            <Icon name="close" />
          </button>
        </span>
      ))}
      <Button tone="quiet" icon="plus" data-key="filter" onClick={() => setEdited(filters.length)}>
        Filter
      </Button>
      {edited !== undefined && (
        <FilterDialog
          filter={filters[edited]}
          of={of}
          onSave={save}
          onClose={() => setEdited(undefined)}
        />
      )}
    </div>
  )
}
