import { type CopyGap, type CopyStatus, call } from '../../../client/index.ts'
import { client } from '../../data/client.ts'
import { formatNumber } from '../../data/format.ts'
import { useRefresh } from '../../data/refresh.ts'
import { useResource } from '../../data/resource.ts'
import { Loaded } from '../../kit/loaded.tsx'
import { TableSkeleton } from '../../kit/skeleton.tsx'
import { bytesText, monthText, waitText } from './model.ts'
import { COPY_STATES, CLUSTER_TEXTS as TEXTS } from './texts.ts'

// Not by its generated function, which would lie in the shell that every page loads.
const CALL = { verb: 'GET', path: '/api/cluster/copy/' } as const

type CopyProps = { readonly refreshMs: number }

/** Store of the instance's events, and progress of their copy. */
export function Copy({ refreshMs }: CopyProps) {
  const asked = useResource('cluster-copy', (signal) => call<CopyStatus>(client, CALL, { signal }))
  const copy = useRefresh(asked, refreshMs)
  return (
    <section class="cluster-section" aria-labelledby="cluster-copy">
      <h2 id="cluster-copy">{TEXTS.copy}</h2>
      <Loaded of={copy} skeleton={<TableSkeleton rows={1} height={24} />}>
        {(status) =>
          status.configured ? (
            <Kept status={status} />
          ) : (
            <p class="cluster-note">{TEXTS.copyNone}</p>
          )
        }
      </Loaded>
    </section>
  )
}

function Kept({ status }: { readonly status: CopyStatus }) {
  const { state, problem, holder, gaps, columns, parts } = status
  const tone = state === 'shipping' ? 'good' : state === 'starting' ? 'none' : 'bad'
  return (
    <div class="cluster-section">
      <p class="cluster-note">{whereText(status)}</p>
      <ul class="cluster-lamps" aria-label={TEXTS.copyFigures}>
        <li>
          <span class={`cluster-lamp cluster-lamp-${tone}`} aria-hidden="true" />
          <strong>ClickHouse</strong> {COPY_STATES[state] ?? state}
        </li>
        <Figure name={TEXTS.copyWaiting} value={waitingText(status)} />
        <Figure name={TEXTS.copyBlocks} value={formatNumber(status.blocks)} />
        {parts > 0 && <Figure name={TEXTS.copyParts} value={partsText(status)} />}
        {columns.length > 0 && <Figure name={TEXTS.copyColumns} value={columns.join(', ')} />}
        <Figure name={TEXTS.copyHolder} value={holder === '' ? TEXTS.copyNobody : holder} />
      </ul>
      {problem !== '' && <p class="cluster-problem">{problem}</p>}
      {gaps.length > 0 && <Lacking gaps={gaps} />}
    </div>
  )
}

function whereText({ home }: CopyStatus): string {
  return home === 'clickhouse' ? TEXTS.copyAlone : TEXTS.copyText
}

function Figure({ name, value }: { readonly name: string; readonly value: string }) {
  return (
    <li>
      <strong>{name}</strong> <span class="cluster-value">{value}</span>
    </li>
  )
}

function partsText({ parts, parts_most }: CopyStatus): string {
  return `${formatNumber(parts)}, ${TEXTS.copyPartsMost} ${formatNumber(parts_most)} ${TEXTS.copyPartsIn}`
}

function waitingText({ waiting_events, waiting_bytes, lag_ms }: CopyStatus): string {
  if (waiting_events === 0) return TEXTS.copyNothing
  const events = `${formatNumber(waiting_events)} ${TEXTS.copyEvents} (${bytesText(waiting_bytes)})`
  return `${events}, ${TEXTS.copyOldest} ${waitText(lag_ms)}`
}

function Lacking({ gaps }: { readonly gaps: readonly CopyGap[] }) {
  return (
    <>
      <p>{TEXTS.copyLacking}</p>
      <ul class="cluster-lacking">
        {gaps.map(({ month, reason, asked }) => (
          <li key={month}>
            <strong>{monthText(month)}</strong> {reason}
            {asked && `, ${TEXTS.copyFilling}`}
          </li>
        ))}
      </ul>
      {gaps.some(({ asked }) => !asked) && (
        <p class="cluster-note">
          {TEXTS.copyFill} <code>sluice events move</code>
        </p>
      )}
    </>
  )
}
