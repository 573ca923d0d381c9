import { useState } from 'preact/hooks'
import { captureTest } from '../../data/capture.ts'
import type { LiveEvent } from '../../data/live.ts'
import { useProject } from '../../data/projects.ts'
import { Button } from '../../kit/button.tsx'
import { JsonView } from '../../kit/drawers/json-view.tsx'
import { FailureNote } from '../../kit/failure.tsx'
import { Icon } from '../../kit/icons.tsx'
import { Name } from '../../kit/names/name.tsx'
import { Skeleton } from '../../kit/skeleton.tsx'
import { Time } from '../../kit/time.tsx'
import type { NewestEvent } from './newest-event.ts'
import { START_TEXTS as TEXTS } from './texts.ts'

/** Whether an event has arrived, and which. */
export function Status({ newest }: { readonly newest: NewestEvent }) {
  const { before, came } = newest
  const event = came ?? before.data
  if (event === undefined) {
    if (before.error === undefined) return <Skeleton height={120} />
    return <FailureNote {...before} onRetry={before.reload} />
  }
  return (
    <section class={`start-status${event === null ? '' : ' start-here'}`}>
      <div role="status" class="start-said">
        {event === null ? <span class="start-pulse" aria-hidden="true" /> : <Icon name="check" />}
        <div>
          <h2>{event === null ? TEXTS.waiting : came === undefined ? TEXTS.had : TEXTS.came}</h2>
          {event === null ? <p>{TEXTS.waitingHow}</p> : <What event={event} />}
        </div>
      </div>
      <Next isHere={event !== null} />
      {event !== null && <JsonView key={event.id} value={{ ...event }} open={1} />}
    </section>
  )
}

function What({ event }: { readonly event: LiveEvent }) {
  return (
    <p>
      <strong>
        <Name of={event.event} />
      </strong>{' '}
      {TEXTS.from} {event.distinct_id} · <Time value={event.timestamp} />
    </p>
  )
}

function Next({ isHere }: { readonly isHere: boolean }) {
  const { id, api_token } = useProject()
  const [isBusy, setBusy] = useState(false)
  const [said, setSaid] = useState<{ readonly text: string; readonly isBad: boolean }>()
  const test = async () => {
    setBusy(true)
    setSaid(undefined)
    try {
      await captureTest(api_token)
      setSaid({ text: TEXTS.sent, isBad: false })
    } catch (error) {
      const isBlocked = error instanceof TypeError || !(error instanceof Error)
      setSaid({ text: isBlocked ? TEXTS.blocked : error.message, isBad: true })
    } finally {
      setBusy(false)
    }
  }
  return (
    <>
      <p class="start-next">
        {isHere && (
          <a class="button button-main" href={`/project/${id}/live`}>
            {TEXTS.live}
          </a>
        )}
        {isHere && (
          <a class="button button-plain" href={`/project/${id}`}>
            {TEXTS.overview}
          </a>
        )}
        <Button tone={isHere ? 'plain' : 'main'} busy={isBusy} onClick={() => void test()}>
          {TEXTS.test}
        </Button>
      </p>
      {said !== undefined && (said.isBad || !isHere) && (
        <p role={said.isBad ? 'alert' : 'status'} class={said.isBad ? 'field-problem' : ''}>
          {said.text}
        </p>
      )}
    </>
  )
}
