import { useId } from 'preact/hooks'
import { listEventDefinitions } from '../../../client/index.ts'
import { client } from '../../data/client.ts'
import type { LiveFilter } from '../../data/live.ts'
import { useProject } from '../../data/projects.ts'
import { useResource } from '../../data/resource.ts'
import { useQuery } from '../../data/url.ts'
import { Button } from '../../kit/button.tsx'
import { Field } from '../../kit/field.tsx'
import { LIVE_TEXTS as TEXTS } from './texts.ts'

const NAMES = 100

/** Which events are shown: by name, by distinct id, or by an expression. */
export function LiveFilterForm({ filter }: { readonly filter: LiveFilter }) {
  const { id } = useProject()
  const [, setQuery] = useQuery()
  const list = useId()
  const names = useResource(`event-names ${id}`, async (signal) => {
    const found = await listEventDefinitions(client, { project_id: id, limit: NAMES }, { signal })
    return found.results.map(({ name }) => name)
  })
  const send = (event: SubmitEvent & { readonly currentTarget: HTMLFormElement }) => {
    event.preventDefault()
    const data = new FormData(event.currentTarget)
    const text = (name: string) => String(data.get(name) ?? '').trim() || undefined
    setQuery({ event: text('event'), distinct_id: text('distinct_id'), where: text('where') })
  }
  const plain = { autocomplete: 'off', spellcheck: false } as const
  return (
    <form class="live-filter" onSubmit={send} key={JSON.stringify(filter)}>
      <Field
        {...{ label: TEXTS.eventName, name: 'event', list, ...plain, 'data-key': 'filter' }}
        defaultValue={filter.event ?? ''}
      />
      <datalist id={list}>
        {names.data?.map((name) => (
          <option key={name} value={name} />
        ))}
      </datalist>
      <Field
        {...{ label: TEXTS.distinctId, name: 'distinct_id', ...plain }}
        defaultValue={filter.distinct_id ?? ''}
      />
      <Field
        {...{ label: TEXTS.where, name: 'where', placeholder: TEXTS.wherePlace, ...plain }}
        defaultValue={filter.where?.[0] ?? ''}
      />
      <Button type="submit">{TEXTS.apply}</Button>
    </form>
  )
}
