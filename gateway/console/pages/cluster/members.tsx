import { useState } from 'preact/hooks'
import { drainMember, type Member } from '../../../client/index.ts'
import { client } from '../../data/client.ts'
import { formatNumber, formatUtc } from '../../data/format.ts'
import { Button } from '../../kit/button.tsx'
import { Confirm } from '../../kit/dialogs/asks.ts'
import { toast } from '../../kit/toasts.tsx'
import { useAction } from '../../kit/use-action.ts'
import { ownersOf, rateText, type Status, waitText, workersOf } from './model.ts'
import { OwnerMark } from './owner-mark.tsx'
import { CLUSTER_TEXTS as TEXTS } from './texts.ts'

type MembersProps = { readonly status: Status; readonly onChanged: () => void }

/** Timeout of a drain, which moves up to 256 shards, one after the other. */
const DRAIN_MS = 60_000

/** A column for each process, with its figures. */
export function Members({ status, onChanged }: MembersProps) {
  const [asked, setAsked] = useState<Member>()
  const { busy, run } = useAction()
  const owners = ownersOf(status)
  const active = workersOf(status).filter(({ state }) => state === 'active')
  const drain = ({ id, address }: Member) =>
    run(async () => {
      await drainMember(client, { member: id, address }, { timeoutMs: DRAIN_MS })
      toast(`${address}: ${TEXTS.drained}`)
      setAsked(undefined)
      onChanged()
    })
  return (
    <section class="cluster-section" aria-labelledby="cluster-members">
      <h2 id="cluster-members">{TEXTS.members}</h2>
      <ul class="cluster-members">
        {status.members.map((member) => (
          <li key={member.id} class="cluster-member">
            <header>
              <h3>
                <OwnerMark of={owners.get(member.id)} /> {member.address}
              </h3>
              <code>{member.id}</code>
            </header>
            <p>
              {TEXTS.role[member.role as keyof typeof TEXTS.role] ?? member.role}, {member.state}
              {member.role !== 'gateway' && !member.answered && `, ${TEXTS.silent}`}
            </p>
            <Figures of={member} />
            {member.role === 'worker' && (member.state !== 'active' || active.length > 1) && (
              <Button
                tone="danger"
                aria-label={`${TEXTS.drain} ${member.address}`}
                onClick={() => setAsked(member)}
              >
                {TEXTS.drain}
              </Button>
            )}
          </li>
        ))}
      </ul>
      {asked !== undefined && (
        <Confirm
          title={TEXTS.drainTitle}
          action={TEXTS.drain}
          busy={busy}
          typed={{ label: TEXTS.typeAddress, word: asked.address }}
          onConfirm={() => drain(asked)}
          onClose={() => setAsked(undefined)}
        >
          <p>{TEXTS.drainText}</p>
        </Confirm>
      )}
    </section>
  )
}

function Figures({ of }: { readonly of: Member }) {
  const { role, answered, shards, writer, breaker, version, host, pid, started_at: start } = of
  const process: readonly (readonly [string, string])[] =
    host === ''
      ? []
      : [
          [TEXTS.process, `${pid}@${host}`],
          [TEXTS.started, formatUtc(start)],
        ]
  const own: readonly (readonly [string, string])[] =
    role === 'gateway'
      ? []
      : !answered
        ? [[TEXTS.shards, formatNumber(shards)]]
        : [
            [TEXTS.shards, formatNumber(shards)],
            [TEXTS.events, rateText(of.events_per_second)],
            [TEXTS.decides, rateText(of.decides_per_second)],
            [TEXTS.queue, formatNumber(writer?.queued_events ?? 0)],
            [TEXTS.wait, waitText(writer?.oldest_wait_ms ?? 0)],
            [TEXTS.breaker, breaker === 'open' ? TEXTS.toSpill : TEXTS.toDatabase],
          ]
  return (
    <dl>
      {[...own, ...process, [TEXTS.version, version] as const].map(([name, text]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd class="figure">{text}</dd>
        </div>
      ))}
    </dl>
  )
}
