/**
 * Figures as plain numbers, each with its lines of Prometheus' text format: to count is an addition
 * and to time is a step through a few bounds, with nothing made and nothing hashed. A series is
 * shown from its first use on; a count of 0 is a use.
 * Format: https://prometheus.io/docs/instrumenting/exposition_formats/
 */
import { assert } from '../code.ts'

/** Upper bounds of the buckets in seconds, each within its bucket. */
const SECONDS_BUCKETS: readonly number[] = [
  0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10,
]

/** Text of the labels of a series, `name="value",…`; empty without any. */
type LabelText = string

type Series = { lines(name: string, labels: LabelText): readonly string[] }

/** A count that only rises. */
export class Count implements Series {
  #value = 0
  #isUsed = false

  /** @param by not negative. */
  inc(by = 1): void {
    assert(by >= 0, 'a count only rises')
    this.#value += by
    this.#isUsed = true
  }

  lines(name: string, labels: LabelText): readonly string[] {
    return this.#isUsed ? [sample(name, labels, this.#value)] : []
  }
}

/** A histogram of times. */
export class Times implements Series {
  /** By bucket; the last counts values above every bound. */
  readonly #counts = new Float64Array(SECONDS_BUCKETS.length + 1)
  #sumS = 0

  observe(seconds: number): void {
    assert(Number.isFinite(seconds), 'a time is a number')
    let bucket = 0
    while (bucket < SECONDS_BUCKETS.length && seconds > (SECONDS_BUCKETS[bucket] ?? 0)) bucket += 1
    this.#counts[bucket] = (this.#counts[bucket] ?? 0) + 1
    this.#sumS += seconds
  }

  /** Each bucket holds those of the smaller ones too. */
  lines(name: string, labels: LabelText): readonly string[] {
    let count = 0
    const buckets = [...SECONDS_BUCKETS, '+Inf'].map((le, i) => {
      count += this.#counts[i] ?? 0
      return sample(`${name}_bucket`, joined(labelText('le', `${le}`), labels), count)
    })
    if (count === 0) return []
    const sum = sample(`${name}_sum`, labels, this.#sumS)
    return [...buckets, sum, sample(`${name}_count`, labels, count)]
  }
}

export type LabelNames = readonly [string] | readonly [string, string]

/** The series of one metric by the values of its labels. */
export class Family<Each extends Series> {
  readonly #names: LabelNames
  readonly #create: () => Each
  readonly #found = new Map<string, Map<string | undefined, Each>>()
  readonly #all: { readonly labels: LabelText; readonly series: Each }[] = []

  constructor(names: LabelNames, create: () => Each) {
    this.#names = names
    this.#create = create
  }

  /**
   * The series of these values, in the order of the labels' names: the same one each time. It is
   * kept for good, so clients must not choose the values.
   */
  labels(first: string, second?: string): Each {
    return this.#found.get(first)?.get(second) ?? this.#add(first, second)
  }

  lines(name: string): readonly string[] {
    return this.#all.flatMap(({ labels, series }) => series.lines(name, labels))
  }

  #add(first: string, second: string | undefined): Each {
    const [firstName, secondName] = this.#names
    assert((secondName === undefined) === (second === undefined), 'each label has a value')
    const tail = secondName === undefined ? '' : labelText(secondName, second ?? '')
    const series = this.#create()
    this.#all.push({ labels: joined(labelText(firstName, first), tail), series })
    const bySecond = this.#found.get(first) ?? new Map<string | undefined, Each>()
    this.#found.set(first, bySecond.set(second, series))
    return series
  }
}

/** One line: a value under its name. */
export function sample(name: string, labels: LabelText, value: number): string {
  return labels === '' ? `${name} ${value}` : `${name}{${labels}} ${value}`
}

function joined(first: LabelText, second: LabelText): LabelText {
  return second === '' ? first : `${first},${second}`
}

function labelText(name: string, value: string): LabelText {
  const escaped = value.replaceAll('\\', '\\\\').replaceAll('\n', '\\n').replaceAll('"', '\\"')
  return `${name}="${escaped}"`
}
