import { type DroppedEvents, listIngestionWarnings } from '../../../client/index.ts'
import { client } from '../../data/client.ts'
import { useProject } from '../../data/projects.ts'
import { useRefresh } from '../../data/refresh.ts'
import { useResource } from '../../data/resource.ts'
import { Loaded } from '../../kit/loaded.tsx'
import { Skeleton } from '../../kit/skeleton.tsx'
import { Time } from '../../kit/time.tsx'
import { START_TEXTS as TEXTS } from './texts.ts'

const AGAIN_MS = 10_000
const SHOWN_MAX = 100
const END_CHARS = 6
const LOCAL = /^(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])$/

/** Reasons why no first event arrives, likeliest first. */
export function Checks({ host, token }: { readonly host: string; readonly token: string }) {
  const isLocal = LOCAL.test(new URL(host).hostname)
  return (
    <section class="start-checks">
      <h2>{TEXTS.checks}</h2>
      <ol>
        <li>
          <h3>{TEXTS.checkHost}</h3>
          <p>
            {TEXTS.hostIs(host)} {isLocal && TEXTS.hostIsLocal}
          </p>
        </li>
        <li>
          <h3>{TEXTS.checkKey}</h3>
          <p>{TEXTS.keyIs(token.slice(-END_CHARS))}</p>
        </li>
        <li>
          <h3>{TEXTS.checkBlocker}</h3>
          <p>{TEXTS.blocker}</p>
        </li>
        <li>
          <h3>{TEXTS.checkRefused}</h3>
          <Refused />
        </li>
      </ol>
    </section>
  )
}

/** Refused requests of the last hour, polled while the user tries to send one. */
function Refused() {
  const { id } = useProject()
  const asked = useResource(`refused ${id}`, (signal) =>
    listIngestionWarnings(client, { project_id: id, limit: SHOWN_MAX }, { signal }),
  )
  const warnings = useRefresh(asked, AGAIN_MS)
  return (
    <Loaded
      of={warnings}
      skeleton={<Skeleton height={24} />}
      isEmpty={({ last_hour }) => !last_hour.some(isLost)}
      empty={<p>{TEXTS.noneRefused}</p>}
    >
      {({ last_hour, results }) => (
        <ul class="start-refused">
          {last_hour.filter(isLost).map(({ reason, effect, count, meaning, advice }) => {
            const last = results.find(({ type }) => type === reason)?.last_seen_at
            return (
              <li key={reason}>
                <strong>{TEXTS.count(count, effect)}</strong> <code>{reason}</code> {meaning}{' '}
                <Advice text={advice} />
                {last !== undefined && (
                  <span class="start-last">
                    {TEXTS.last} <Time value={last} />
                  </span>
                )}
              </li>
            )
          })}
        </ul>
      )}
    </Loaded>
  )
}

/** Whether events were lost; events that were only changed have been stored. */
function isLost({ effect }: DroppedEvents): boolean {
  return effect !== 'changed'
}

/** Text of the server, with code between backticks. */
function Advice({ text }: { readonly text: string }) {
  return (
    <>{text.split('`').map((part, at) => (at % 2 === 1 ? <code key={part}>{part}</code> : part))}</>
  )
}
