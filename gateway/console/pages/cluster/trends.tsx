import { useEffect, useState } from 'preact/hooks'
import { Spark } from '../../charts/spark.tsx'
import { formatNumber } from '../../data/format.ts'
import { rateText, type Sample, type Status, sampleOf, waitText } from './model.ts'
import { CLUSTER_TEXTS as TEXTS } from './texts.ts'

const SAMPLE_S = 5
/** Samples of 15 minutes. */
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
    { name: TEXTS.events, of: 'events', say: rateText },
    { name: TEXTS.decides, of: 'decides', say: rateText },
    { name: TEXTS.wait, of: 'wait', say: waitText },
    { name: TEXTS.queue, of: 'queue', say: formatNumber },
  ] as const
  return (
    <section class="cluster-section" aria-label={TEXTS.trends}>
      <ul class="cluster-trends" title={TEXTS.trends}>
        {figures.map(({ name, of, say }) => (
          <li key={of}>
            <span class="stat-label">{name}</span>
            <span class="cluster-figure figure">{say(now[of])}</span>
            {samples.length > 1 && (
              <>
                <Spark
                  label={`${name}: ${say(now[of])}`}
                  values={samples.map((each) => each[of])}
                  width={160}
                  height={32}
                />
                <span class="cluster-axis">
                  <span>{TEXTS.sampled((samples.length - 1) * SAMPLE_S)}</span>
                  <span>{TEXTS.most(say(Math.max(...samples.map((each) => each[of]))))}</span>
                </span>
              </>
            )}
          </li>
        ))}
      </ul>
    </section>
  )
}
