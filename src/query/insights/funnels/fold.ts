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
  /** Only ways that begin before this time. */
  readonly beginsBefore?: number
}

/** Progress of an actor through the steps. */
export type Way = {
  /** Time of each step in order, of the first way that got furthest. */
  readonly times: readonly number[]
  /** Start of the latest way that got as far. */
  readonly latestStart: number
}

/** Undefined for who took no step or is excluded; in any order, an exclusion leaves the first step. */
export function follow(events: readonly FunnelEvent[], rules: FunnelRules): Way | undefined {
  const way =
    rules.order === 'unordered'
      ? followUnordered(events, rules)
      : followOrdered(entering(events, rules), rules)
  if (way === undefined || !isExcluded(events, way, rules)) return way
  return rules.order === 'unordered' ? { ...way, times: way.times.slice(0, 1) } : undefined
}

/** Events that are too late to be the first step may be any other. */
function entering(
  events: readonly FunnelEvent[],
  { beginsBefore }: FunnelRules,
): readonly FunnelEvent[] {
  if (beginsBefore === undefined) return events
  return events.map((event) =>
    event.at < beginsBefore ? event : { at: event.at, mask: event.mask & ~1 },
  )
}

/** Events of an actor, and the rules by which they are followed. */
export type Followed = { readonly events: readonly FunnelEvent[]; readonly rules: FunnelRules }

/**
 * The path that is followed for each bucket in which the actor enters, up to the window of its
 * last entry.
 * @param starts of the buckets, microseconds, ascending; the first one has what is before too.
 */
export function* entriesOf(
  events: readonly FunnelEvent[],
  rules: FunnelRules,
  starts: readonly number[],
): Generator<Followed> {
  const entry = rules.order === 'unordered' ? (1 << rules.steps) - 1 : 1
  const first = { place: 0 }
  const end = { place: 0 }
  const skip = (to: { place: number }, isPassed: (event: FunnelEvent) => boolean) => {
    for (; to.place < events.length; to.place++) {
      const event = events[to.place]
      if (event === undefined || !isPassed(event)) return event
    }
    return undefined
  }
  for (const [bucket] of starts.entries()) {
    const until = starts[bucket + 1] ?? Number.POSITIVE_INFINITY
    const entered = skip(first, ({ at, mask }) => at < until && (mask & entry) === 0)
    if (entered === undefined) return
    if (entered.at >= until) continue
    skip(end, ({ at }) => at <= until + rules.window)
    const from = startOfMoment(events, first.place)
    yield { events: events.slice(from, end.place), rules: { ...rules, beginsBefore: until } }
    skip(first, ({ at }) => at < until)
  }
}

function startOfMoment(events: readonly FunnelEvent[], place: number): number {
  let first = place
  while (first > 0 && events[first - 1]?.at === events[place]?.at) first -= 1
  return first
}

/** A step that was not taken is none within the window. */
function isExcluded(
  events: readonly FunnelEvent[],
  { times, times: [first = 0] }: Way,
  { steps, exclusions, window }: FunnelRules,
): boolean {
  return exclusions.some(({ from, to }, place) => {
    const begin = times[from] ?? Infinity
    const end = times[to] ?? Infinity
    const isBetween = (at: number) => at > begin && at < end && at - first <= window
    return events.some(({ at, mask }) => (mask & (1 << (steps + place))) !== 0 && isBetween(at))
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
  let latestStart = 0
  const taken = (of: readonly (Entry | undefined)[]) => {
    for (const entry of of) {
      if (entry !== undefined && entry.times.length > best.length) best = entry.times
    }
    latestStart = entries[best.length - 1]?.times[0] ?? latestStart
  }
  for (let first = 0, end = 0; first < events.length && best.length < steps; first = end) {
    end = endOfMoment(events, first)
    const step = order === 'ordered' && end === first + 1 ? stepAlone(events[first], steps) : -1
    if (step >= 0) {
      // The most frequent case: one event at its moment, which can be one step only.
      const entry = entryOf(entries[step - 1], step, events[first]?.at ?? 0, rules.window)
      if (entry === undefined) continue
      entries[step] = entry
      taken([entry])
      continue
    }
    for (const group of groupsOf(events.slice(first, end), rules)) {
      entries = advance(entries, group, rules)
      taken(entries)
      entries = entries.map((entry) => entry && { ...entry, fillers: NOBODY })
    }
  }
  return best.length === 0 ? undefined : { times: best, latestStart }
}

function endOfMoment(events: readonly FunnelEvent[], first: number): number {
  let end = first + 1
  while (events[end]?.at === events[first]?.at) end++
  return end
}

/** The only step that the event can be; -1 when it is none or can be several. */
function stepAlone(event: FunnelEvent | undefined, steps: number): number {
  const mask = (event?.mask ?? 0) & ((1 << steps) - 1)
  return mask === 0 || (mask & (mask - 1)) !== 0 ? -1 : lowestBit(mask)
}

function entryOf(
  before: Entry | undefined,
  step: number,
  at: number,
  window: number,
): Entry | undefined {
  if (step === 0) return { times: [at], fillers: NOBODY }
  if (before === undefined || at - (before.times[0] ?? 0) > window) return undefined
  return { times: [...before.times, at], fillers: NOBODY }
}

/** The events of one instant, in the order of their first steps, others last; strict: one by one. */
function groupsOf(
  events: readonly FunnelEvent[],
  { steps, order }: FunnelRules,
): readonly (readonly FunnelEvent[])[] {
  const own = (1 << steps) - 1
  const moment = events
    .map(({ at, mask }) => ({ at, mask: mask & own }))
    .filter(({ mask }) => mask !== 0 || order === 'strict')
    .sort((a, b) => lowestBit(a.mask) - lowestBit(b.mask))
  if (order === 'strict') return moment.map((event) => [event])
  return moment.length === 0 ? [] : [moment]
}

function lowestBit(mask: number): number {
  return mask === 0 ? 32 : 31 - Math.clz32(mask & -mask)
}

/** Advances by one step with events of one instant. Strict: ways that do not advance end. */
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
    // Prefers the newest way: one that got here at this moment, then one from before.
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
  const { steps, window, beginsBefore = Number.POSITIVE_INFINITY } = rules
  const own = (1 << steps) - 1
  const taken = events
    .filter(({ mask }) => (mask & own) !== 0)
    .map(({ at, mask }) => ({ at, mask: mask & own }))
  const queues = queuesOf(taken)
  let best: readonly number[] = []
  let latestStart = 0
  for (const [first, { at: start }] of taken.entries()) {
    if (start >= beginsBefore) break
    const times = fill(candidates(taken, queues, first, start + window))
    if (times.length > best.length) best = times
    if (times.length === best.length) latestStart = start
    if (best.length === steps) break
  }
  return best.length === 0 ? undefined : { times: best, latestStart }
}

/** Places of the events that may be the same steps, ascending, and the first not yet passed. */
type Queue = { readonly places: number[]; readonly most: number; next: number }

function queuesOf(taken: readonly FunnelEvent[]): readonly Queue[] {
  const queues = new Map<number, Queue>()
  for (const [place, { mask }] of taken.entries()) {
    const queue = queues.get(mask)
    if (queue === undefined) queues.set(mask, { places: [place], most: bitsIn(mask), next: 0 })
    else queue.places.push(place)
  }
  return [...queues.values()]
}

function bitsIn(mask: number): number {
  let bits = 0
  for (let left = mask; left !== 0; left &= left - 1) bits++
  return bits
}

/** Lists events by time; the first n that match the same n steps are enough. */
function candidates(
  taken: readonly FunnelEvent[],
  queues: readonly Queue[],
  first: number,
  end: number,
): readonly FunnelEvent[] {
  const places: number[] = []
  for (const queue of queues) {
    while ((queue.places[queue.next] ?? first) < first) queue.next++
    places.push(...queue.places.slice(queue.next, queue.next + queue.most))
  }
  return places
    .sort((a, b) => a - b)
    .flatMap((place) => taken[place] ?? [])
    .filter(({ at }) => at <= end)
}

/** The times of as many events as have a step each, earlier ones first. */
function fill(events: readonly FunnelEvent[]): readonly number[] {
  const seats = new Map<number, number>()
  return events.filter(({ mask }) => seat(mask, seats, new Set())).map(({ at }) => at)
}

/** Gives an event a step; those that have one may move to another of theirs. */
function seat(mask: number, seats: Map<number, number>, tried: Set<number>): boolean {
  for (let left = mask; left !== 0; left &= left - 1) {
    const step = left & -left
    if (tried.has(step)) continue
    tried.add(step)
    const other = seats.get(step)
    if (other !== undefined && !seat(other, seats, tried)) continue
    seats.set(step, mask)
    return true
  }
  return false
}
