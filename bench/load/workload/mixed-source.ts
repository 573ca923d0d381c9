/** Requests of several kinds, mixed by their shares. */
import { assert } from '../../../src/core/code.ts'
import { err, ok, type Result } from '../../../src/core/result.ts'
import { createPrng } from './prng.ts'
import type { RequestSource } from './request-source.ts'

/** The kinds of requests in a mix. */
export const MIX_KINDS = ['capture', 'decide', 'batch', 'management'] as const
export type MixKind = (typeof MIX_KINDS)[number]
/** Weights, of which only the ratios count. */
export type Mix = Readonly<Record<MixKind, number>>

export const DEFAULT_MIX = 'capture=70,decide=20,batch=5,management=5'

const CLAUSE = /^([a-z]+)=(\d{1,9}(?:\.\d{1,6})?)$/

/** Reads `capture=70,decide=20`. Kinds that are not named have no share. */
export function parseMix(text: string): Result<Mix, string> {
  const mix: Record<MixKind, number> = { capture: 0, decide: 0, batch: 0, management: 0 }
  const named = new Set<MixKind>()
  for (const part of text.split(',')) {
    const [, name, share] = CLAUSE.exec(part.trim()) ?? []
    if (share === undefined) return err(`'${part}' is not like 'capture=70'`)
    const kind = MIX_KINDS.find((known) => known === name)
    if (kind === undefined) return err(`'${name}' is none of ${MIX_KINDS.join(' ')}`)
    if (named.has(kind)) return err(`'${name}' is named twice`)
    named.add(kind)
    mix[kind] = Number(share)
  }
  if (MIX_KINDS.every((kind) => mix[kind] === 0)) return err('every share is 0')
  return ok(mix)
}

/** Chooses the kind of each request at random by its share. The same seed gives the same kinds. */
export function createMixedSource(
  parts: readonly {
    readonly name: MixKind
    readonly share: number
    readonly source: RequestSource
  }[],
  seed: number,
): RequestSource {
  assert(parts.length > 0 && parts.every(({ share }) => share > 0), 'a mix has shares above zero')
  const prng = createPrng(seed)
  const sources = parts.map(({ source }) => source)
  const total = parts.reduce((sum, { share }) => sum + share, 0)
  let sum = 0
  const upTo = parts.map(({ share }) => {
    sum += share
    return sum / total
  })
  let last = 0
  const pick = () => {
    const drawn = prng.float()
    const index = upTo.findIndex((bound) => drawn < bound)
    // The last bound may be a little below one.
    return index < 0 ? sources.length - 1 : index
  }
  const sourceOf = (kind: number) => {
    const source = sources[kind]
    assert(source !== undefined, 'the kind is one of the mix')
    return source
  }
  return {
    bytesMax: Math.max(...sources.map(({ bytesMax }) => bytesMax)),
    eventsPerRequest: 0,
    mix: {
      kinds: parts.map(({ name, source }) => ({ name, events: source.eventsPerRequest })),
      last: () => last,
    },
    fill: (target) => {
      last = pick()
      return sourceOf(last).fill(target)
    },
    accepts: (bytes, start, end, kind) => sourceOf(kind).accepts(bytes, start, end, 0),
  }
}
