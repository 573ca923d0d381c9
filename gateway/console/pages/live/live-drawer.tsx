import type { LiveEvent } from '../../data/live.ts'
import { useProject } from '../../data/projects.ts'
import { Button } from '../../kit/button.tsx'
import { copyText } from '../../kit/copy-as.tsx'
import { Drawer } from '../../kit/dialog.tsx'
import { JsonView } from '../../kit/drawers/json-view.tsx'
import { labelOf } from '../../kit/names/label.ts'
import { Time } from '../../kit/time.tsx'
import { LIVE_TEXTS as TEXTS } from './texts.ts'

/** Shows one event in full, and links to related pages. */
export function LiveDrawer(props: { readonly event: LiveEvent; readonly onClose: () => void }) {
  const { event, onClose } = props
  const { id } = useProject()
  const base = `/project/${id}`
  const query = { kind: 'TrendsQuery', series: [{ kind: 'EventsNode', event: event.event }] }
  const explore = `${base}/insights/new#q=${encodeURIComponent(JSON.stringify(query))}`
  const { properties, ...rest } = event
  return (
    <Drawer title={labelOf(event.event)} onClose={onClose}>
      <p>
        <Time value={event.timestamp} />
        {' · '}
        <a href={`${base}/person/${encodeURIComponent(event.distinct_id)}`}>{event.distinct_id}</a>
      </p>
      {event.truncated === true && <p>{TEXTS.truncated}</p>}
      <p class="live-actions">
        <a class="button button-main" href={explore}>
          {TEXTS.explore}
        </a>
        <a
          class="button button-plain"
          href={`${base}/events?where=${encodeURIComponent(`uuid = '${event.id}'`)}&open=${event.id}`}
        >
          {TEXTS.whole}
        </a>
        <Button icon="copy" onClick={() => void copyText(JSON.stringify(event, null, 2), 'JSON')}>
          Copy as JSON
        </Button>
      </p>
      <JsonView value={{ ...rest, properties }} open={2} />
    </Drawer>
  )
}
