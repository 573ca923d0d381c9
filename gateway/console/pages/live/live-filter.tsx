import { useState } from 'preact/hooks'
import type { LiveFilter } from '../../data/live.ts'
import { useQuery } from '../../data/url.ts'
import { Button } from '../../kit/button.tsx'
import { Field } from '../../kit/field.tsx'
import { eventFiltersOf, parametersOf } from '../../kit/filters/event-filters.ts'
import { FilterChips } from '../../kit/filters/filter-chips.tsx'
import { Picker } from '../../kit/picker/picker.tsx'
import { LIVE_TEXTS as TEXTS } from './texts.ts'

/** Filter of the events that are shown: by name, by distinct id, and by filters as in the list of events. */
export function LiveFilterForm({ filter }: { readonly filter: LiveFilter }) {
  const [query, setQuery] = useQuery()
  const [name, setName] = useState(filter.event ?? '')
  const send = (event: SubmitEvent & { readonly currentTarget: HTMLFormElement }) => {
    event.preventDefault()
    const data = new FormData(event.currentTarget)
    const text = (name: string) => String(data.get(name) ?? '').trim() || undefined
    setQuery({ event: text('event'), distinct_id: text('distinct_id') })
  }
  const plain = { autocomplete: 'off', spellcheck: false } as const
  return (
    <form class="live-filter" onSubmit={send}>
      <Picker
        label={TEXTS.eventName}
        value={name}
        from={['event']}
        none={TEXTS.allEvents}
        canClear
        onChoose={(choice) => setName(choice.name)}
      />
      <input type="hidden" name="event" value={name} />
      <Field
        label={TEXTS.distinctId}
        name="distinct_id"
        {...plain}
        defaultValue={filter.distinct_id ?? ''}
      />
      <Button type="submit">{TEXTS.apply}</Button>
      <FilterChips
        of="events"
        filters={eventFiltersOf(query)}
        onChange={(filters) => setQuery(parametersOf(filters))}
      />
    </form>
  )
}
