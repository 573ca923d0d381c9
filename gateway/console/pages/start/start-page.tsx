import { useEffect, useState } from 'preact/hooks'
import './start.css'
import type { LiveState } from '../../data/live.ts'
import { useProject } from '../../data/projects.ts'
import { after } from '../../data/timers.ts'
import { Button } from '../../kit/button.tsx'
import { copyText } from '../../kit/copy-as.tsx'
import { PageHead } from '../../kit/page-head.tsx'
import { Checks } from './checks.tsx'
import { Block, Code } from './code.tsx'
import { useNewestEvent } from './newest-event.ts'
import { Status } from './status.tsx'
import { START_TEXTS as TEXTS } from './texts.ts'

/** Milliseconds of waiting after which the page shows checks. */
const LATE_MS = 30_000

const NOTES: Readonly<Record<LiveState, string>> = {
  opening: TEXTS.opening,
  open: TEXTS.open,
  waiting: TEXTS.lost,
  closed: TEXTS.closed,
}

export default function StartPage() {
  const { id, api_token: token } = useProject()
  const newest = useNewestEvent(id)
  const isWaiting = newest.came === undefined && newest.before.data === null
  const [isLate, setLate] = useState(false)
  useEffect(() => (isWaiting ? after(LATE_MS, () => setLate(true)) : undefined), [isWaiting])
  const host = location.origin
  return (
    <>
      <PageHead
        title={TEXTS.title}
        note={<span class={`start-live start-${newest.state}`}>{NOTES[newest.state]}</span>}
      />
      <div class="start">
        <Status newest={newest} />
        {isWaiting && isLate && <Checks host={host} token={token} />}
        <section class="start-place">
          <h2>{TEXTS.place}</h2>
          <dl>
            <Copied name={TEXTS.host} text={host} />
            <Copied name={TEXTS.key} text={token} />
          </dl>
          <p>{TEXTS.keyNote}</p>
        </section>
        <Code host={host} token={token} />
        {isWaiting && (
          <section class="start-demo">
            <h2>{TEXTS.demo}</h2>
            <p>{TEXTS.demoNote}</p>
            <Block name={TEXTS.command} text={TEXTS.demoCommand} />
          </section>
        )}
      </div>
    </>
  )
}

function Copied({ name, text }: { readonly name: string; readonly text: string }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>
        <code>{text}</code>
        <Button
          tone="quiet"
          icon="copy"
          aria-label={`${TEXTS.copy}: ${name}`}
          onClick={() => void copyText(text, name)}
        />
      </dd>
    </div>
  )
}
