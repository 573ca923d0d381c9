import './cluster.css'
import { getCluster } from '../../../client/index.ts'
import { client } from '../../data/client.ts'
import { formatNumber, formatPercent } from '../../data/format.ts'
import { useRefresh } from '../../data/refresh.ts'
import { useResource } from '../../data/resource.ts'
import { isStaff } from '../../data/session.ts'
import { Loaded } from '../../kit/loaded.tsx'
import { PageHead } from '../../kit/page-head.tsx'
import { TableSkeleton } from '../../kit/skeleton.tsx'
import { Table } from '../../kit/table.tsx'
import { Copy } from './copy.tsx'
import { DeadLetters } from './dead-letters.tsx'
import { Members } from './members.tsx'
import { lampsOf, type Status, verdictOf, waitText } from './model.ts'
import { Shards } from './shards.tsx'
import { CLUSTER_TEXTS as TEXTS } from './texts.ts'
import { Trends } from './trends.tsx'

const REFRESH_MS = 5_000

export default function ClusterPage() {
  return isStaff() ? <Cluster /> : <NotStaff />
}

function NotStaff() {
  return (
    <>
      <PageHead title={TEXTS.title} />
      <div class="failure" role="alert">
        <h2>{TEXTS.forStaff}</h2>
        <p>{TEXTS.forStaffText}</p>
        <p class="failure-code">
          <code>403 {TEXTS.denied}</code>
        </p>
      </div>
    </>
  )
}

function Cluster() {
  const asked = useResource('cluster', (signal) => getCluster(client, { signal }))
  const status = useRefresh(asked, REFRESH_MS)
  const { data } = status
  const note = data === undefined ? undefined : `${data.cluster_name}, release ${data.version}`
  return (
    <>
      <PageHead title={TEXTS.title} note={note} call={{ verb: 'GET', path: '/api/cluster/' }} />
      <Loaded of={status} skeleton={<TableSkeleton rows={8} height={72} />}>
        {(loaded) => (
          <div class="cluster-stack">
            <Verdict status={loaded} />
            <Lamps status={loaded} />
            <Members status={loaded} onChanged={status.reload} />
            <Trends status={loaded} at={status.at} />
            <Shards status={loaded} />
            <Spill spill={loaded.spill} />
            <Copy refreshMs={REFRESH_MS} />
            <DeadLetters count={loaded.dead_letters} onChanged={status.reload} />
            <Dropped status={loaded} />
          </div>
        )}
      </Loaded>
    </>
  )
}

function Verdict({ status }: { readonly status: Status }) {
  const { tone, text } = verdictOf(status)
  return (
    <section class={`cluster-verdict cluster-verdict-${tone}`} aria-label={TEXTS.verdict}>
      <p class="cluster-sentence">{text}</p>
      {status.problems.length > 0 && (
        <ul>
          {status.problems.map((problem) => (
            <li key={problem}>
              {problem}
              {problem.includes('dead letters') && (
                <>
                  {' '}
                  <a href="#cluster-dead">{TEXTS.deadBelow}</a>
                </>
              )}
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}

/** The words say it; the colour only helps the eye. */
function Lamps({ status }: { readonly status: Status }) {
  return (
    <ul class="cluster-lamps" aria-label={TEXTS.stores}>
      {lampsOf(status).map(({ name, text, tone }) => (
        <li key={name}>
          <span class={`cluster-lamp cluster-lamp-${tone}`} aria-hidden="true" />
          <strong>{name}</strong> {text}
        </li>
      ))}
    </ul>
  )
}

function Dropped({ status: { dropped } }: { readonly status: Status }) {
  if (dropped.length === 0) return null
  return (
    <section class="cluster-section" aria-labelledby="cluster-dropped">
      <h2 id="cluster-dropped">{TEXTS.dropped}</h2>
      <Table
        caption={TEXTS.droppedEvents}
        rows={dropped}
        keyOf={({ project_id: id, reason }) => `${id} ${reason}`}
        columns={[
          { key: 'reason', title: TEXTS.reason, cell: (row) => <Reason {...row} /> },
          { key: 'effect', title: TEXTS.effect, cell: ({ effect }) => effect },
          {
            key: 'project',
            title: TEXTS.project,
            align: 'end',
            cell: ({ project_id: id }) => (id === 0 ? TEXTS.noProject : id),
          },
          {
            key: 'count',
            title: TEXTS.count,
            align: 'end',
            cell: ({ count }) => formatNumber(count),
          },
        ]}
      />
    </section>
  )
}

function Reason({ reason }: Status['dropped'][number]) {
  return (
    <>
      <code>{reason}</code>
      {reason === 'duplicate' && <span class="cluster-note"> {TEXTS.duplicate}</span>}
    </>
  )
}

/** Fill level of the spill, where events wait for the database. */
function Spill({ spill }: Pick<Status, 'spill'>) {
  const share = spill === null || spill.bytes_max === 0 ? 0 : spill.bytes / spill.bytes_max
  return (
    <section class="cluster-section" aria-labelledby="cluster-spill">
      <h2 id="cluster-spill">{TEXTS.spill}</h2>
      <p class="cluster-note">{TEXTS.spillText}</p>
      <div class="cluster-spill">
        <meter
          min={0}
          max={1}
          low={0.5}
          high={0.8}
          optimum={0}
          value={share}
          aria-labelledby="cluster-spill"
        />
        <span class="figure">{textOf(spill, share)}</span>
      </div>
    </section>
  )
}

function textOf(spill: Status['spill'], share: number): string {
  if (spill === null || !spill.configured) return TEXTS.spillNone
  const { connected, messages, oldest_age_ms: oldest } = spill
  const count = `${formatNumber(messages)} ${TEXTS.batches} ${waitText(oldest)}`
  const full = messages === 0 ? TEXTS.spillEmpty : `${formatPercent(share)} ${TEXTS.full}: ${count}`
  return connected ? full : `${full}, ${TEXTS.lastKnown}`
}
