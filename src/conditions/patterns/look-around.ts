/**
 * Regular expressions with look-around, in linear time. Each look-around is a program of its own
 * that is run once over the whole subject and leaves a table: may it begin (look-ahead) or end
 * (look-behind) here? A look-ahead runs from right to left, so that one pass answers for every
 * position. The programs around it then read the table as they read `^` or `$`.
 */

import { FLAG_REGEX_PROGRAM_MAX } from '../../core/limits/limits.ts'
import { type Assertion, type CharTest, type Node, parseRegex } from './regex-syntax.ts'

type Instruction =
  | { readonly op: 'char'; readonly test: CharTest }
  | { readonly op: 'split'; first: number; second: number }
  | { readonly op: 'assert'; readonly assertion: Assertion; readonly look: Look | undefined }
  | { readonly op: 'match' }

type Look = { readonly program: Program; readonly negated: boolean; readonly table: number }
type Program = { readonly code: readonly Instruction[]; readonly backward: boolean }

/** Work of one pass: a bit per instruction that is alive, and those in order. */
type Threads = { readonly alive: Uint8Array; readonly list: number[] }

/** `undefined` when the pattern is not one, or is too large. */
export function compileLookAround(
  source: string,
): { size: number; test(subject: string): boolean } | undefined {
  const tree = parseRegex(source)
  if (tree === undefined) return undefined
  const builder: Builder = { looks: [], size: 0 }
  const main = build(tree, false, builder)
  if (main === undefined) return undefined
  return {
    size: builder.size,
    test(subject) {
      const points = [...subject]
      const tables: Uint8Array[] = []
      // Inner look-arounds were pushed before the ones that hold them.
      for (const look of builder.looks)
        tables[look.table] = run(look.program, points, tables, false)
      return run(main, points, tables, true)[points.length] === 1
    },
  }
}

type Builder = { readonly looks: Look[]; size: number }

function build(tree: Node, backward: boolean, builder: Builder): Program | undefined {
  const code: Instruction[] = []
  if (!emit(tree, code, backward, builder)) return undefined
  code.push({ op: 'match' })
  builder.size += code.length
  return builder.size > FLAG_REGEX_PROGRAM_MAX ? undefined : { code, backward }
}

/** Appends the instructions of `node`; false once the program is too large. */
function emit(node: Node, code: Instruction[], backward: boolean, builder: Builder): boolean {
  if (code.length > FLAG_REGEX_PROGRAM_MAX) return false
  switch (node.kind) {
    case 'char':
      code.push({ op: 'char', test: node.test })
      return true
    case 'sequence': {
      const items = backward ? node.items.toReversed() : node.items
      return items.every((item) => emit(item, code, backward, builder))
    }
    case 'choice':
      return emitChoice(node.items, code, backward, builder)
    case 'repeat':
      return emitRepeat(node, code, backward, builder)
    case 'assertion':
      code.push({ op: 'assert', assertion: node.assertion, look: undefined })
      return true
    case 'look': {
      const program = build(node.item, node.ahead, builder)
      if (program === undefined) return false
      const look = { program, negated: node.negated, table: builder.looks.length }
      builder.looks.push(look)
      code.push({ op: 'assert', assertion: 'look', look })
      return true
    }
    default:
      return node satisfies never
  }
}

function emitChoice(
  items: readonly Node[],
  code: Instruction[],
  backward: boolean,
  builder: Builder,
): boolean {
  const ends: { op: 'split'; first: number; second: number }[] = []
  for (const [index, item] of items.entries()) {
    const fork = { op: 'split' as const, first: code.length + 1, second: code.length + 1 }
    code.push(fork)
    if (!emit(item, code, backward, builder)) return false
    const end = { op: 'split' as const, first: 0, second: 0 }
    code.push(end)
    ends.push(end)
    if (index < items.length - 1) fork.second = code.length
  }
  for (const end of ends) {
    end.first = code.length
    end.second = code.length
  }
  return true
}

function emitRepeat(
  node: Extract<Node, { kind: 'repeat' }>,
  code: Instruction[],
  backward: boolean,
  builder: Builder,
): boolean {
  for (let count = 0; count < node.min; count++) {
    if (!emit(node.item, code, backward, builder)) return false
  }
  if (node.max === undefined) {
    const loop = { op: 'split' as const, first: code.length + 1, second: 0 }
    const start = code.length
    code.push(loop)
    if (!emit(node.item, code, backward, builder)) return false
    code.push({ op: 'split', first: start, second: start })
    loop.second = code.length
    return true
  }
  const exits: { op: 'split'; first: number; second: number }[] = []
  for (let count = node.min; count < node.max; count++) {
    const exit = { op: 'split' as const, first: code.length + 1, second: 0 }
    code.push(exit)
    exits.push(exit)
    if (!emit(node.item, code, backward, builder)) return false
  }
  for (const exit of exits) exit.second = code.length
  return true
}

/**
 * Runs a program from every position at once. The table holds 1 where a match ends, seen in the
 * direction of the run. `anywhere`: the last cell says whether there was a match at all.
 */
function run(
  program: Program,
  points: readonly string[],
  tables: readonly Uint8Array[],
  anywhere: boolean,
): Uint8Array {
  const { code, backward } = program
  const table = new Uint8Array(points.length + 1)
  let current: Threads = { alive: new Uint8Array(code.length), list: [] }
  let next: Threads = { alive: new Uint8Array(code.length), list: [] }
  for (let step = 0; step <= points.length; step++) {
    const at = backward ? points.length - step : step
    follow(0, current, { code, points, tables, at })
    if (current.alive[code.length - 1] === 1) {
      table[at] = 1
      if (anywhere) return table.fill(1)
    }
    const point = points[backward ? at - 1 : at]
    if (point === undefined) break
    for (const pc of current.list) {
      const instruction = code[pc]
      if (instruction?.op !== 'char' || !instruction.test(point)) continue
      follow(pc + 1, next, { code, points, tables, at: backward ? at - 1 : at + 1 })
    }
    current.alive.fill(0)
    current.list.length = 0
    const spent = current
    current = next
    next = spent
  }
  return table
}

type Place = {
  readonly code: readonly Instruction[]
  readonly points: readonly string[]
  readonly tables: readonly Uint8Array[]
  readonly at: number
}

/** Brings to life what is reachable from `start` without reading a character. */
function follow(start: number, threads: Threads, place: Place): void {
  const stack = [start]
  for (let pc = stack.pop(); pc !== undefined; pc = stack.pop()) {
    if (threads.alive[pc] === 1) continue
    threads.alive[pc] = 1
    const instruction = place.code[pc]
    if (instruction === undefined) continue
    if (instruction.op === 'split') stack.push(instruction.second, instruction.first)
    else if (instruction.op === 'char') threads.list.push(pc)
    else if (instruction.op === 'assert' && holds(instruction, place)) stack.push(pc + 1)
  }
}

const WORD = /^\w$/

function holds(instruction: Extract<Instruction, { op: 'assert' }>, place: Place): boolean {
  const { points, tables, at } = place
  const { assertion, look } = instruction
  switch (assertion) {
    case 'start':
      return at === 0
    case 'end':
      return at === points.length
    case 'line_start':
      return at === 0 || points[at - 1] === '\n'
    case 'line_end':
      return at === points.length || points[at] === '\n'
    case 'word_boundary':
    case 'no_word_boundary': {
      const edge = WORD.test(points[at - 1] ?? '') !== WORD.test(points[at] ?? '')
      return edge === (assertion === 'word_boundary')
    }
    case 'look':
      return look !== undefined && (tables[look.table]?.[at] === 1) !== look.negated
    default:
      return assertion satisfies never
  }
}
