import { createHash } from 'node:crypto'

/** The cache generations of the workers of the view, and one text that names all of them. */
export type Generations = {
  /** Adds a worker whose generation is not known yet. */
  join(memberId: string): void
  leave(memberId: string): void
  /** Ignores workers outside the view, and generations older than the known one. */
  tell(memberId: string, generation: string): void
  /** Empty while the generation of a worker is unknown, and while there is no worker. */
  name(): string
}

const UNKNOWN = ''

export function createGenerations(): Generations {
  const known = new Map<string, string>()
  let name = UNKNOWN

  const rename = () => {
    const parts = [...known].sort(([a], [b]) => (a < b ? -1 : 1))
    const isKnown = parts.length > 0 && parts.every(([, generation]) => generation !== UNKNOWN)
    name = isKnown ? digest(JSON.stringify(parts)) : UNKNOWN
  }

  return {
    join(memberId) {
      if (known.has(memberId)) return
      known.set(memberId, UNKNOWN)
      rename()
    },
    leave(memberId) {
      if (known.delete(memberId)) rename()
    },
    tell(memberId, generation) {
      const before = known.get(memberId)
      if (before === undefined || generation === UNKNOWN || generation === before) return
      if (before !== UNKNOWN && countOf(generation) < countOf(before)) return
      known.set(memberId, generation)
      rename()
    },
    name: () => name,
  }
}

/**
 * A generation ends in a count that only rises (`src/project/cache-generation.ts`). Answers and the
 * stream travel apart, so an older generation may arrive after a newer one.
 */
function countOf(generation: string): number {
  const count = Number(generation.slice(generation.lastIndexOf('.') + 1))
  return Number.isInteger(count) ? count : Number.POSITIVE_INFINITY
}

/** 96 bits, so that different sets of generations have different digests. */
function digest(text: string): string {
  return createHash('sha256').update(text).digest('base64url').slice(0, 16)
}
