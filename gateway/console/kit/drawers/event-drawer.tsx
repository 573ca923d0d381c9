import { labelOf } from '../../../../src/core/charts/label.ts'
import { getEvent, type JsonObject } from '../../../client/index.ts'
import { client } from '../../data/client.ts'
import { isRecord } from '../../data/json.ts'
import { useProject } from '../../data/projects.ts'
import { nameOfActor } from '../../data/questions.ts'
import { useResource } from '../../data/resource.ts'
import { Button } from '../button.tsx'
import { CopyAs, copyText } from '../copy-as.tsx'
import { Drawer } from '../dialog.tsx'
import { Loaded } from '../loaded.tsx'
import { TableSkeleton } from '../skeleton.tsx'
import { Time } from '../time.tsx'
import { JsonView } from './json-view.tsx'

type EventDrawerProps = { readonly id: string; readonly onClose: () => void }

type WholeEvent = JsonObject & {
  readonly id: string
  readonly event: string
  readonly distinct_id: string
  readonly timestamp: string
  readonly properties: JsonObject
}

/** Shows one stored event in full, its person, and links to related pages. */
export function EventDrawer({ id, onClose }: EventDrawerProps) {
  const { id: project } = useProject()
  const input = { project_id: project, id, shape: 'native' } as const
  const event = useResource(`event ${project} ${id}`, async (signal) => {
    // The native shape of one event.
    return (await getEvent(client, input, { signal })) as unknown as WholeEvent
  })
  return (
    <Drawer title={labelOf(event.data?.event ?? 'Event')} onClose={onClose}>
      <Loaded of={event} skeleton={<TableSkeleton rows={8} />}>
        {(whole) => <EventView project={project} event={whole} />}
      </Loaded>
    </Drawer>
  )
}

function EventView({ project, event }: { readonly project: number; readonly event: WholeEvent }) {
  const { id, timestamp, distinct_id, properties, person, ...rest } = event
  const base = `/project/${project}`
  const query = { kind: 'TrendsQuery', series: [{ kind: 'EventsNode', event: event.event }] }
  const known = isRecord(person) ? person['properties'] : undefined
  const name = nameOfActor({ properties: known ?? {}, distinct_ids: [distinct_id] })
  return (
    <>
      <p>
        <Time value={timestamp} />
        {' · '}
        <a href={`${base}/person/${encodeURIComponent(distinct_id)}`}>{name}</a>
      </p>
      <p class="event-actions">
        <a
          class="button button-main"
          href={`${base}/insights/new#q=${encodeURIComponent(JSON.stringify(query))}`}
        >
          Explore this event
        </a>
        <Button icon="copy" onClick={() => void copyText(JSON.stringify(event, null, 2), 'JSON')}>
          Copy as JSON
        </Button>
        <CopyAs
          call={{ verb: 'GET', path: `/api/projects/${project}/events/${id}/?shape=native` }}
        />
      </p>
      <JsonView value={properties} open={2} isNamed />
      <h3>Other fields</h3>
      <JsonView value={{ id, distinct_id, timestamp, ...rest, person: person ?? null }} open={1} />
    </>
  )
}
