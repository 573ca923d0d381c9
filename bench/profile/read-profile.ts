/** Reads profiles of V8: time and allocated bytes of each function. */

import { existsSync, readFileSync } from 'node:fs'
import { SourceMap } from 'node:module'
import { relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { packageRoot } from '../../src/core/package-root.ts'

/** Where code of the bundle in `dist` comes from, by its source maps. */
const maps = new Map<string, SourceMap | undefined>()

/**
 * The URL of the source of a place in a script, lines and columns from 0; the script's own where it has
 * no map.
 */
function sourceUrl(url: string, line: number, column: number): string {
  if (!url.startsWith('file:')) return url
  const entry = mapOf(url)?.findEntry(line, column)
  if (entry === undefined || !('originalSource' in entry)) return url
  return new URL(entry.originalSource, url).href
}

function mapOf(url: string): SourceMap | undefined {
  if (!maps.has(url)) maps.set(url, readMap(`${fileURLToPath(url)}.map`))
  return maps.get(url)
}

function readMap(path: string): SourceMap | undefined {
  return existsSync(path) ? new SourceMap(JSON.parse(readFileSync(path, 'utf8'))) : undefined
}

type Frame = {
  readonly functionName: string
  readonly url: string
  readonly lineNumber: number
  readonly columnNumber: number
}
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

/** A function, named with the end of its file's path, and its self time or bytes. */
export type Spent = { readonly where: string; readonly name: string; readonly amount: number }

/** Entries that are not work of the product: idle time, and the profiler itself. */
const LEFT_OUT = new Set(['(idle)', 'dispatch'])

/** Self time of each function in microseconds, longest first. */
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

function add(sums: Map<string, Spent>, frame: Frame, amount: number) {
  const { functionName, url, lineNumber, columnNumber } = frame
  const where = pathOf(sourceUrl(url, lineNumber, columnNumber))
  const name = functionName === '' ? `(anonymous ${lineNumber + 1})` : functionName
  const key = `${where} ${name}`
  sums.set(key, { where, name, amount: amount + (sums.get(key)?.amount ?? 0) })
}

function sorted(sums: ReadonlyMap<string, Spent>): Spent[] {
  return [...sums.values()].sort((a, b) => b.amount - a.amount)
}

/** The path below the package. */
function pathOf(url: string): string {
  const [, inPackage] = /\/node_modules\/(.+)$/.exec(url) ?? []
  if (inPackage !== undefined) return `node_modules/${inPackage}`
  return url.startsWith('file:') ? relative(packageRoot, fileURLToPath(url)) : url
}
