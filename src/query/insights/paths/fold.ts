/** Cuts the events of one actor into paths, and paths into edges. */

/** An event in a path; `at` in microseconds, ascending within an actor. */
export type PathEvent = { readonly at: number; readonly item: number }

export type PathRules = {
  /** Items that a path begins and ends with. */
  readonly startPoint: number | undefined
  readonly endPoint: number | undefined
  /** Items of a path, at least 2. */
  readonly stepLimit: number
}

/** Stands for what a path with both ends leaves out. */
export const LEFT_OUT = -1

/** Edge from the item at a step, which counts from 1, to the next one. */
export type Edge = {
  readonly step: number
  readonly from: number
  readonly to: number
  /** Microseconds between the two. */
  readonly time: number
}

/** A step that is later than this after the last begins a new path: microseconds. */
const GAP_MAX = 30 * 60 * 1_000_000

/** The edges of all paths of an actor, in order. */
export function edgesOf(events: readonly PathEvent[], rules: PathRules): readonly Edge[] {
  const edges: Edge[] = []
  for (const whole of pathsOf(events)) {
    const path = between(whole, rules)
    for (const [index, { at, item }] of path.entries()) {
      const last = path[index - 1]
      if (last === undefined) continue
      edges.push({ step: index, from: last.item, to: item, time: at - last.at })
    }
  }
  return edges
}

/** Repeats in a row are one item, at the time of the first; each of them keeps the path alive. */
function pathsOf(events: readonly PathEvent[]): readonly (readonly PathEvent[])[] {
  const paths: PathEvent[][] = []
  let last: PathEvent | undefined
  for (const event of events) {
    const path = paths.at(-1)
    if (path === undefined || last === undefined || event.at - last.at > GAP_MAX) {
      paths.push([event])
    } else if (event.item !== last.item) {
      path.push(event)
    }
    last = event
  }
  return paths
}

/** The requested part of a path; empty when the path lacks the requested ends. */
function between(
  path: readonly PathEvent[],
  { startPoint, endPoint, stepLimit }: PathRules,
): readonly PathEvent[] {
  const start = startPoint === undefined ? 0 : path.findIndex(({ item }) => item === startPoint)
  if (start === -1) return []
  if (endPoint === undefined) return path.slice(start, start + stepLimit)
  const end = path.findIndex(({ item }, index) => index >= start && item === endPoint)
  if (end === -1) return []
  const part = path.slice(start, end + 1)
  if (part.length <= stepLimit) return part
  return startPoint === undefined ? part.slice(-stepLimit) : shortened(part, stepLimit)
}

/** Shortens a path to its beginning and end, with one item for what is left out. */
function shortened(path: readonly PathEvent[], stepLimit: number): readonly PathEvent[] {
  const after = Math.floor((stepLimit - 1) / 2)
  const before = stepLimit - 1 - after
  const left = { at: path[before]?.at ?? 0, item: LEFT_OUT }
  return [...path.slice(0, before), left, ...path.slice(path.length - after)]
}
