/** Shapes of charts, as paths of SVG. */

export type Point = readonly [x: number, y: number]
/** Lower and upper end of one part of a stack. */
export type Span = readonly [from: number, to: number]

/** Through the points; undefined ones are gaps. */
export function linePath(points: readonly (Point | undefined)[]): string {
  return runsOf(points).map(throughOf).join('')
}

/** Path of the area between the points and the base. */
export function areaPath(points: readonly (Point | undefined)[], base: number): string {
  return runsOf(points)
    .map((run) => {
      const first = run[0]?.[0] ?? 0
      const last = run.at(-1)?.[0] ?? 0
      return `${throughOf(run)}L${short(last)} ${short(base)}L${short(first)} ${short(base)}Z`
    })
    .join('')
}

function throughOf(run: readonly Point[]): string {
  return run.map(([x, y], at) => `${at === 0 ? 'M' : 'L'}${short(x)} ${short(y)}`).join('')
}

function runsOf(points: readonly (Point | undefined)[]): readonly (readonly Point[])[] {
  const runs: Point[][] = [[]]
  for (const point of points) {
    if (point === undefined) runs.push([])
    else runs.at(-1)?.push(point)
  }
  return runs.filter((run) => run.length > 0)
}

/** Rounds to what can be seen on the screen. */
function short(value: number): number {
  return Math.round(value * 1000) / 1000
}

/**
 * Stacks layers: positive values upwards from zero, negative ones downwards.
 * @param layers values by layer; null counts as zero.
 */
export function stacked(
  layers: readonly (readonly (number | null)[])[],
  count: number,
): readonly (readonly Span[])[] {
  const above = new Array<number>(count).fill(0)
  const below = new Array<number>(count).fill(0)
  return layers.map((values) =>
    above.map((_, at): Span => {
      const value = values[at] ?? 0
      const side = value < 0 ? below : above
      const from = side[at] ?? 0
      side[at] = from + value
      return [from, from + value]
    }),
  )
}
