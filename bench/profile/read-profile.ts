/** Reads profiles of V8: time and allocated bytes of each function. */

type Frame = { readonly functionName: string; readonly url: string; readonly lineNumber: number }
type CpuNode = { readonly id: number; readonly callFrame: Frame; readonly children?: number[] }

export type CpuProfile = {
  readonly nodes: readonly CpuNode[]
  readonly samples: readonly number[]
  /** Microseconds between samples. */
  readonly timeDeltas: readonly number[]
}

export type HeapProfile = { readonly head: HeapNode }
type HeapNode = {
  readonly callFrame: Frame
  readonly selfSize: number
  readonly children: readonly HeapNode[]
}

/** A function, named with the end of its file's path, and its own time or bytes. */
export type Spent = { readonly where: string; readonly name: string; readonly amount: number }

/** Entries that are not work of the product: idle time, and the profiler itself. */
const LEFT_OUT = new Set(['(idle)', 'dispatch'])

/** Own time of each function in microseconds, longest first. */
export function timesOf({ nodes, samples, timeDeltas }: CpuProfile): Spent[] {
  const frames = new Map(nodes.map(({ id, callFrame }) => [id, callFrame]))
  const sums = new Map<string, Spent>()
  for (const [index, id] of samples.entries()) {
    const frame = frames.get(id)
    if (frame === undefined || LEFT_OUT.has(frame.functionName)) continue
    add(sums, frame, timeDeltas[index] ?? 0)
  }
  return sorted(sums)
}

/** Bytes that each function itself allocated, most first. */
export function allocationsOf({ head }: HeapProfile): Spent[] {
  const sums = new Map<string, Spent>()
  const rest: HeapNode[] = [head]
  for (let node = rest.pop(); node !== undefined; node = rest.pop()) {
    if (node.selfSize > 0) add(sums, node.callFrame, node.selfSize)
    rest.push(...node.children)
  }
  return sorted(sums)
}

function add(sums: Map<string, Spent>, { functionName, url, lineNumber }: Frame, amount: number) {
  const where = pathOf(url)
  const name = functionName === '' ? `(anonymous ${lineNumber + 1})` : functionName
  const key = `${where} ${name}`
  sums.set(key, { where, name, amount: amount + (sums.get(key)?.amount ?? 0) })
}

function sorted(sums: ReadonlyMap<string, Spent>): Spent[] {
  return [...sums.values()].sort((a, b) => b.amount - a.amount)
}

/** The path from the folder of the build or of the package. */
function pathOf(url: string): string {
  const [, inPackage] = /\/node_modules\/(.+)$/.exec(url) ?? []
  if (inPackage !== undefined) return `node_modules/${inPackage}`
  const [, inBuild] = /\/dist\/(.+)$/.exec(url) ?? []
  return inBuild ?? url
}
