import { isRecord } from '../../data/json.ts'

const SAMPLES = 5
const SAMPLE_CHARS_MAX = 60

export type SampledProperty = {
  readonly name: string
  /** Among the events that were read. */
  readonly count: number
  readonly samples: readonly string[]
}

/** Counts names, and keeps a few of their values. */
export function sampled(all: readonly unknown[]): readonly SampledProperty[] {
  const known = new Map<string, { count: number; readonly values: Set<string> }>()
  for (const [name, value] of all.filter(isRecord).flatMap((each) => Object.entries(each))) {
    const entry = known.get(name) ?? { count: 0, values: new Set() }
    entry.count += 1
    const text = typeof value === 'string' ? value : JSON.stringify(value)
    if (entry.values.size < SAMPLES && text.length <= SAMPLE_CHARS_MAX) entry.values.add(text)
    known.set(name, entry)
  }
  return [...known]
    .map(([name, { count, values }]) => ({ name, count, samples: [...values] }))
    .sort((one, other) => other.count - one.count)
}
