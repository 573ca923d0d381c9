import { formatNumber, formatPercent } from '../../data/format.ts'
import { type Status, waitText } from './model.ts'
import { CLUSTER_TEXTS as TEXTS } from './texts.ts'

/** Fill level of the spill, where events wait for the database. */
export function Spill({ spill }: Pick<Status, 'spill'>) {
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
