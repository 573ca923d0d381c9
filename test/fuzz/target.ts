/** Targets of the fuzzer, and its knowledge of each kind of input. */
import type { Random } from '../sim/random.ts'

/** In the order in which they take turns. Inputs depend on a target's place: new ones go last. */
export const TARGET_NAMES = [
  'http',
  'bodies',
  'grpc',
  'expressions',
  'flags',
  'plugins',
  'saved-flags',
] as const
export type TargetName = (typeof TARGET_NAMES)[number]

/** An input out of nothing; the same for the same numbers. */
export type Grammar = (random: Random) => Buffer

/** Resolves with what is wrong in how an input was taken; undefined when nothing is. */
export type Judge = (input: Buffer) => Promise<string | undefined>

/** Where the inputs of a target are tried. */
export type Bench = {
  readonly judge: Judge
  /**
   * Resolves with what is wrong with the process since the last look, be it of one input or of
   * several that were tried beside each other.
   */
  readonly look: () => Promise<string | undefined>
  /** Another process in place of one that is not as it was. */
  readonly renew: () => Promise<void>
  readonly close: () => Promise<void>
}

export function isTargetName(name: string): name is TargetName {
  return TARGET_NAMES.some((each) => each === name)
}

/** An input whose first line says how the bytes after it are sent. */
export type Sent = { readonly head: Readonly<Record<string, unknown>>; readonly bytes: Buffer }

/** A first line that is no JSON object, as mutation leaves it, counts as one of the bytes. */
export function sentOf(input: Buffer): Sent {
  const end = input.indexOf('\n')
  if (end === -1) return { head: {}, bytes: input }
  const head = jsonOf(input.toString('utf8', 0, end))
  return isRecord(head) ? { head, bytes: input.subarray(end + 1) } : { head: {}, bytes: input }
}

export function toInput(head: object, bytes: Uint8Array): Buffer {
  return Buffer.concat([Buffer.from(`${JSON.stringify(head)}\n`), bytes])
}

/** Undefined where it is no JSON. */
export function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined // An input mutated often is none, and is tried as it is.
  }
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Texts of a head: only what fits in one line of a header. */
export function headText(head: Sent['head'], name: string, otherwise: string): string {
  const value = head[name]
  return typeof value === 'string' ? value.replaceAll(/[^\x21-\x7e ]/g, '') : otherwise
}
