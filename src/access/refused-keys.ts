/** Counts keys that were refused, for the audit log: by the hour and by how a key begins. */
import { v7 as uuidv7 } from 'uuid'
import type { Clock } from '../core/clock.ts'

/** Beginnings of refused keys that a worker counts apart at a time; the others count together. */
const REFUSED_PREFIXES_MAX = 20

/** Number of refused keys in one hour. */
export type RefusedCount = {
  /** Id of the entry, which is written again as the count rises. */
  readonly id: string
  /** ISO 8601. */
  readonly hour: string
  /** Prefix of the keys; `other` for texts without a form of ours, or after too many others. */
  readonly prefix: string
  readonly count: number
}

export type RefusedKeys = {
  /** @param value as it was presented. It is not kept. */
  readonly note: (value: string) => void
  /** Writes what has changed. A later call writes again what could not be written. */
  readonly save: () => Promise<void>
}

const HOUR_MS = 3_600_000
const KEY_FORM = /^ph[a-z]_/
/** Share of a key that its prefix may show, and characters at most. */
const PREFIX_SHARE = 1 / 4
const PREFIX_LENGTH_MAX = 8
const OTHER = 'other'

type Counted = { id: string; hour: number; prefix: string; count: number; saved: number }

export function createRefusedKeys(
  clock: Pick<Clock, 'now'>,
  write: (counts: readonly RefusedCount[]) => Promise<void>,
): RefusedKeys {
  const counts = new Map<string, Counted>()
  return {
    note(value) {
      const hour = Math.floor(clock.now() / HOUR_MS)
      const known = (prefix: string) => counts.get(`${hour} ${prefix}`)
      const own = prefixOf(value)
      const apart = [...counts.values()].filter((each) => each.hour === hour).length
      const prefix = known(own) !== undefined || apart < REFUSED_PREFIXES_MAX ? own : OTHER
      const counted = known(prefix) ?? { id: uuidv7(), hour, prefix, count: 0, saved: 0 }
      counted.count += 1
      counts.set(`${hour} ${prefix}`, counted)
    },
    async save() {
      const changed = [...counts.values()].filter(({ count, saved }) => count > saved)
      // More may be refused while these are written.
      const written = changed.map((counted) => ({ counted, count: counted.count }))
      if (written.length > 0) {
        await write(
          written.map(({ counted: { id, hour, prefix }, count }) => {
            return { id, hour: new Date(hour * HOUR_MS).toISOString(), prefix, count }
          }),
        )
      }
      for (const { counted, count } of written) counted.saved = count
      const hour = Math.floor(clock.now() / HOUR_MS)
      for (const [name, counted] of counts) {
        if (counted.hour < hour && counted.saved === counted.count) counts.delete(name)
      }
    },
  }
}

function prefixOf(value: string): string {
  if (!KEY_FORM.test(value)) return OTHER
  const shown = Math.min(PREFIX_LENGTH_MAX, Math.floor(value.length * PREFIX_SHARE))
  // The text behind the prefix is the client's and may hold anything.
  return value.slice(0, Math.max(shown, 4)).replace(/[^0-9A-Za-z_]/g, '?')
}
