import { useEffect, useState } from 'preact/hooks'
import { Spark } from '../../charts/spark.tsx'
import { formatNumber } from '../../data/format.ts'
import { rateText, type Sample, type Status, sampleOf, waitText } from './model.ts'
import { CLUSTER_TEXTS as TEXTS } from './texts.ts'

/** One sample every five seconds, for 15 minutes. */
const SAMPLES_MAX = 180

type TrendsProps = {
  readonly status: Status
  /** When the status came: each is one sample. */
  readonly at: number | undefined
}

/** Course of the figures while the page was open: they are not stored. */
export function Trends({ status, at }: TrendsProps) {
  const [samples, setSamples] = useState<readonly Sample[]>([])
  useEffect(() => {
    setSamples((before) => [...before, sampleOf(status)].slice(-SAMPLES_MAX))
    // The time identifies the status.
  }, [at])
  const now = sampleOf(status)
  const figures = [
    { name: TEXTS.events, of: 'events', text: rateText(now.events) },
    { name: TEXTS.decides, of: 'decides', text: rateText(now.decides) },
    { name: TEXTS.wait, of: 'wait', text: waitText(now.wait) },
    { name: TEXTS.queue, of: 'queue', text: formatNumber(now.queue) },
  ] as const
  return (
    <section class="cluster-section" aria-label={TEXTS.trends}>
      <ul class="cluster-trends" title={TEXTS.trends}>
        {figures.map(({ name, of, text }) => (
          <li key={of}>
            <span class="stat-label">{name}</span>
            <span class="cluster-figure figure">{text}</span>
            {samples.length > 1 && (
              <Spark
                label={`${name}: ${text}`}
                values={samples.map((each) => each[of])}
                width={160}
                height={32}
              />
            )}
          </li>
        ))}
      </ul>
    </section>
  )
}
