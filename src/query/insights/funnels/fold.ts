/** Follows one actor through the steps of a funnel. */

/** An event that is a step, or that excludes: `at` in microseconds, ascending within an actor. */
export type FunnelEvent = {
  readonly at: number
  /** Bit i: it may be step i. Bits from `steps` on: it may be an exclusion. Strict: 0 for others. */
  readonly mask: number
}

export type FunnelRules = {
  readonly order: 'ordered' | 'strict' | 'unordered'
  readonly steps: number
  /** Counts from the first step and includes its end; microseconds. */
  readonly window: number
  /** Steps between which an event may not be; its bit is `steps` + its place. */
  readonly exclusions: readonly { readonly from: number; readonly to: number }[]
}

/** How far an actor came. */
export type Way = {
  /** When each step was taken, in order; of the first way that came furthest. */
  readonly times: readonly number[]
  /** When the latest way began that came as far. */
  readonly latestStart: number
}

/** Undefined for an actor that took no step, or that an exclusion removes. */
export function follow(events: readonly FunnelEvent[], rules: FunnelRules): Way | undefined {
  const way =
    rules.order === 'unordered' ? followUnordered(events, rules) : followOrdered(events, rules)
  if (way === undefined || isExcluded(events, way, rules)) return undefined
  return way
}

function isExcluded(
  events: readonly FunnelEvent[],
  { times }: Way,
  { steps, exclusions }: FunnelRules,
): boolean {
  return exclusions.some(({ from, to }, place) => {
    const [begin, end] = [times[from], times[to]]
    if (begin === undefined || end === undefined) return false
    const bit = 1 << (steps + place)
    return events.some(({ at, mask }) => (mask & bit) !== 0 && at > begin && at < end)
  })
}

/** An actor on a step. */
type Entry = {
  readonly times: readonly number[]
  /** Events that may have filled the step, while their moment lasts: places in it. */
  readonly fillers: readonly number[]
}
const NOBODY: readonly number[] = []

function followOrdered(events: readonly FunnelEvent[], rules: FunnelRules): Way | undefined {
  const { steps, order } = rules
  let entries: (Entry | undefined)[] = new Array<undefined>(steps).fill(undefined)
  let best: readonly number[] = []
  for (const moment of momentsOf(events, rules)) {
    const groups = order === 'strict' ? moment.map((event) => [event]) : [moment]
    for (const group of groups) {
      entries = advance(entries, group, rules)
      for (const entry of entries) {
        if (entry !== undefined && entry.times.length > best.length) best = entry.times
      }
      entries = entries.map((entry) => entry && { ...entry, fillers: NOBODY })
    }
    if (best.length === steps) break
  }
  if (best.length === 0) return undefined
  const latest = entries[best.length - 1]?.times[0] ?? best[0]
  return { times: best, latestStart: latest ?? 0 }
}

/** The events of each instant, in the order of their first steps, others last. */
function momentsOf(
  events: readonly FunnelEvent[],
  { steps, order }: FunnelRules,
): readonly (readonly FunnelEvent[])[] {
  const own = (1 << steps) - 1
  const moments: FunnelEvent[][] = []
  for (const { at, mask } of events) {
    const step = { at, mask: mask & own }
    if (step.mask === 0 && order !== 'strict') continue
    const last = moments.at(-1)
    if (last !== undefined && last[0]?.at === at) last.push(step)
    else moments.push([step])
  }
  for (const moment of moments) moment.sort((a, b) => lowestBit(a.mask) - lowestBit(b.mask))
  return moments
}

function lowestBit(mask: number): number {
  return mask === 0 ? 32 : 31 - Math.clz32(mask & -mask)
}

/** One step further, by events of one instant. Strict: what does not go on ends. */
function advance(
  entries: readonly (Entry | undefined)[],
  moment: readonly FunnelEvent[],
  { order, window }: FunnelRules,
): (Entry | undefined)[] {
  const at = moment[0]?.at ?? 0
  const next: (Entry | undefined)[] =
    order === 'strict' ? entries.map(() => undefined) : [...entries]
  for (const step of entries.keys()) {
    const able = placesOf(moment, step)
    if (able.length === 0) continue
    if (step === 0) {
      next[0] = { times: [at], fillers: able }
      continue
    }
    // The newest way first: one that came here in this very moment, then one from before.
    const now = goOn(next[step - 1], able, at, window)
    const before = goOn(entries[step - 1], able, at, window)
    const found = order === 'strict' ? before : (now ?? before)
    if (found !== undefined) next[step] = found
  }
  return next
}

function placesOf(moment: readonly FunnelEvent[], step: number): number[] {
  return [...moment.keys()].filter((place) => ((moment[place]?.mask ?? 0) & (1 << step)) !== 0)
}

/** One event never fills two steps in a row. */
function goOn(
  entry: Entry | undefined,
  able: readonly number[],
  at: number,
  window: number,
): Entry | undefined {
  if (entry === undefined || at - (entry.times[0] ?? 0) > window) return undefined
  const { fillers } = entry
  const fresh = able.filter((place) => fillers.length !== 1 || fillers[0] !== place)
  return fresh.length === 0 ? undefined : { times: [...entry.times, at], fillers: fresh }
}

/** The window with most steps; of equal ones the earliest. */
function followUnordered(events: readonly FunnelEvent[], rules: FunnelRules): Way | undefined {
  const { steps, window } = rules
  const own = (1 << steps) - 1
  const taken = events.filter(({ mask }) => (mask & own) !== 0)
  let best: number[] = []
  let latestStart = 0
  for (const [first, { at: start }] of taken.entries()) {
    const times = fillFrom(taken, first, start + window, steps)
    if (times.length > best.length) best = times
    if (times.length === best.length) latestStart = start
    if (best.length === steps) break
  }
  return best.length === 0 ? undefined : { times: best, latestStart }
}

/** Each event fills the first step that it can be and that is not filled yet. */
function fillFrom(
  taken: readonly FunnelEvent[],
  first: number,
  end: number,
  steps: number,
): number[] {
  const times: number[] = []
  let filled = 0
  for (let index = first; index < taken.length && times.length < steps; index++) {
    const event = taken[index]
    if (event === undefined || event.at > end) break
    const free = event.mask & ~filled & ((1 << steps) - 1)
    if (free === 0) continue
    filled |= free & -free
    times.push(event.at)
  }
  return times
}
