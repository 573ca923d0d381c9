import { useState } from 'preact/hooks'
import { labelOf } from '../../../../src/core/charts/label.ts'
import {
  type EventDefinition,
  getEventDefinition,
  listEvents,
  updateEventDefinition,
} from '../../../client/index.ts'
import { client } from '../../data/client.ts'
import { formatNumber } from '../../data/format.ts'
import { isRecord } from '../../data/json.ts'
import { useProject } from '../../data/projects.ts'
import { useResource } from '../../data/resource.ts'
import { Button } from '../../kit/button.tsx'
import { Drawer } from '../../kit/dialog.tsx'
import { Field, Select, TextArea } from '../../kit/field.tsx'
import { quoted } from '../../kit/filters/expression.ts'
import { Loaded } from '../../kit/loaded.tsx'
import { meaningOf } from '../../kit/picker/known-names.ts'
import { sampled } from '../../kit/picker/sampled.ts'
import { TableSkeleton } from '../../kit/skeleton.tsx'
import { Switch } from '../../kit/switch.tsx'
import { Time } from '../../kit/time.tsx'
import { toast } from '../../kit/toasts.tsx'
import { useAction } from '../../kit/use-action.ts'
import { ownerName, useOwners } from './owners.ts'
import { PropertyTable } from './property-table.tsx'
import { DEFINITIONS_TEXTS as TEXTS } from './texts.ts'

type DrawerProps = {
  /** UUID of the definition. */
  readonly id: string
  readonly onSaved: () => void
  readonly onClose: () => void
}

/** Definition of an event, with the properties of the newest ones. */
export function DefinitionDrawer({ id, onSaved, onClose }: DrawerProps) {
  const { id: project } = useProject()
  const found = useResource(`definition ${project} ${id}`, (signal) =>
    getEventDefinition(client, { project_id: project, id }, { signal }),
  )
  return (
    <Drawer
      title={found.data === undefined ? TEXTS.name : labelOf(found.data.name)}
      onClose={onClose}
    >
      <Loaded of={found} skeleton={<TableSkeleton rows={6} />}>
        {(definition) => (
          <>
            <Facts project={project} definition={definition} />
            <DefinitionForm
              key={definition.updated_at}
              definition={definition}
              onSaved={() => {
                found.reload()
                onSaved()
              }}
            />
            <h3 class="definitions-properties">{TEXTS.properties}</h3>
            <EventProperties project={project} name={definition.name} />
          </>
        )}
      </Loaded>
    </Drawer>
  )
}

type FactsProps = { readonly project: number; readonly definition: EventDefinition }

function Facts({ project, definition }: FactsProps) {
  const { name, created_at: first, last_seen_at: last, volume_30_day: volume } = definition
  const base = `/project/${project}`
  const query = { kind: 'TrendsQuery', series: [{ kind: 'EventsNode', event: name }] }
  const where = encodeURIComponent(`event = ${quoted(name)}`)
  const facts = [
    [TEXTS.volume, volume === null ? TEXTS.unknown : formatNumber(volume)],
    [TEXTS.firstSeen, first === null ? TEXTS.unknown : <Time value={first} />],
    [TEXTS.lastSeen, last === null ? TEXTS.unknown : <Time value={last} />],
  ] as const
  return (
    <>
      <p>
        <code class="definitions-code">{name}</code>
      </p>
      <p class="definitions-links">
        <a
          class="button button-main"
          href={`${base}/insights/new#q=${encodeURIComponent(JSON.stringify(query))}`}
        >
          {TEXTS.explore}
        </a>
        <a class="button button-plain" href={`${base}/events?where=${where}`}>
          {TEXTS.list}
        </a>
      </p>
      <dl class="definitions-facts">
        {facts.map(([title, value]) => (
          <div key={title}>
            <dt>{title}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
    </>
  )
}

type FormProps = { readonly definition: EventDefinition; readonly onSaved: () => void }

function DefinitionForm({ definition, onSaved }: FormProps) {
  const { id: project } = useProject()
  const { id, name, verified_by: verifier, verified_at: at } = definition
  const owners = useOwners()
  const { busy, run } = useAction()
  const [verified, setVerified] = useState(definition.verified)
  const owner = definition.owner === null ? '' : String(definition.owner)
  const users = (owners.data ?? []).map((user) => user.id)
  const ids = new Set([...(definition.owner === null ? [] : [definition.owner]), ...users])
  const send = (event: SubmitEvent & { readonly currentTarget: HTMLFormElement }) => {
    event.preventDefault()
    const data = new FormData(event.currentTarget)
    const text = (field: string) => String(data.get(field) ?? '').trim()
    run(async () => {
      await updateEventDefinition(client, {
        project_id: project,
        id,
        verified,
        description: text('description'),
        tags: text('tags')
          .split(',')
          .filter((tag) => tag.trim() !== ''),
        owner: text('owner') === '' ? null : Number(text('owner')),
      })
      toast(TEXTS.saved)
      onSaved()
    })
  }
  return (
    <form class="form" onSubmit={send}>
      <TextArea
        label={TEXTS.description}
        name="description"
        rows={3}
        autofocus
        defaultValue={definition.description ?? ''}
        placeholder={meaningOf(name) ?? ''}
      />
      <Field
        label={TEXTS.tags}
        name="tags"
        hint={TEXTS.tagsHint}
        autocomplete="off"
        defaultValue={definition.tags.join(', ')}
      />
      <Select
        label={TEXTS.owner}
        name="owner"
        value={owner}
        options={[
          { value: '', label: TEXTS.noOwner },
          ...[...ids].map((each) => ({ value: `${each}`, label: ownerName(owners.data, each) })),
        ]}
      />
      <p class="definitions-verified">
        <Switch label={TEXTS.verified} checked={verified} onChange={setVerified} />
        {TEXTS.verified}
        {verifier !== null && at !== null && (
          <span>
            {TEXTS.verifiedBy} {verifier.first_name || verifier.email}, <Time value={at} />
          </span>
        )}
      </p>
      <Button tone="main" type="submit" busy={busy}>
        {TEXTS.save}
      </Button>
    </form>
  )
}

const EVENTS_READ = 100

function EventProperties({ project, name }: { readonly project: number; readonly name: string }) {
  const sample = useResource(`definition-properties ${project} ${name}`, async (signal) => {
    const input = { project_id: project, event: name, limit: EVENTS_READ, shape: 'native' } as const
    const { results = [] } = (await listEvents(client, input, { signal })) as {
      readonly results?: readonly unknown[]
    }
    const events = results.filter(isRecord).map(({ properties }) => properties)
    const kind = { kind: 'event', read: events.length } as const
    return sampled(events).map((each) => ({ ...each, ...kind }))
  })
  return (
    <Loaded
      of={sample}
      skeleton={<TableSkeleton rows={5} />}
      isEmpty={(rows) => rows.length === 0}
      empty={<p class="definitions-note">{TEXTS.noProperties}</p>}
    >
      {(rows) => (
        <>
          <p class="definitions-note">{TEXTS.noteOfEvent}</p>
          <PropertyTable rows={rows} />
        </>
      )}
    </Loaded>
  )
}
