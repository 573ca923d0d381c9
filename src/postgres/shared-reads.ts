/** Combines concurrent reads of one kind into one statement. */
import { afterIo, type Clock } from '../core/clock.ts'

/** Keys of one statement that reads for several calls. */
export const SHARED_READ_KEYS_MAX = 64
/** Time after which later reads do not wait for such a statement any more. */
export const SHARED_READ_SLOW_MS = 50

/** Reads what one key names; undefined where there is none. @throws what its statement throws. */
export type SharedRead<Key, Found> = (key: Key) => Promise<Found | undefined>

export type SharedReadOptions<Key, Found> = {
  readonly clock: Pick<Clock, 'after'>
  /** Two keys of one name are the same. */
  readonly nameOf: (key: Key) => string
  /** One statement: what each of the keys names, in their order. */
  readonly read: (keys: readonly Key[]) => Promise<readonly (Found | undefined)[]>
}

type Ask<Key, Found> = {
  readonly key: Key
  readonly found: Promise<Found | undefined>
  readonly answer: (found: Found | undefined) => void
  readonly fail: (error: unknown) => void
}

/**
 * Combines reads that are requested while a statement runs into the next one, so that many cost
 * little more than one. A statement begins after all of its reads were requested, so no reader gets
 * older data. A slow statement delays none of the reads after it.
 */
export function shareReads<Key, Found>(
  options: SharedReadOptions<Key, Found>,
): SharedRead<Key, Found> {
  const shared = new SharedReads(options)
  return (key) => shared.read(key)
}

class SharedReads<Key, Found> {
  readonly #options: SharedReadOptions<Key, Found>
  readonly #asked = new Map<string, Ask<Key, Found>>()
  /** Statements under way that are not slow. */
  #running = 0
  #isDue = false

  constructor(options: SharedReadOptions<Key, Found>) {
    this.#options = options
  }

  read(key: Key): Promise<Found | undefined> {
    const name = this.#options.nameOf(key)
    const asked = this.#asked.get(name)
    if (asked !== undefined) return asked.found
    const ask = askFor<Key, Found>(key)
    this.#asked.set(name, ask)
    this.#goOn()
    return ask.found
  }

  #goOn(): void {
    if (this.#isDue || this.#running > 0 || this.#asked.size === 0) return
    this.#isDue = true
    // Includes all reads requested in this turn of the event loop.
    afterIo(() => {
      this.#isDue = false
      void this.#run()
    })
  }

  /** Never rejects. */
  async #run(): Promise<void> {
    const asks = this.#take()
    this.#running += 1
    let isSlow = false
    const cancel = this.#options.clock.after(SHARED_READ_SLOW_MS, () => {
      isSlow = true
      this.#running -= 1
      this.#goOn()
    })
    try {
      const found = await this.#options.read(asks.map(({ key }) => key))
      for (const [index, { answer }] of asks.entries()) answer(found[index])
    } catch (error) {
      for (const { fail } of asks) fail(error)
    }
    cancel()
    if (!isSlow) this.#running -= 1
    this.#goOn()
  }

  #take(): readonly Ask<Key, Found>[] {
    const asks: Ask<Key, Found>[] = []
    for (const [name, ask] of this.#asked) {
      if (asks.length === SHARED_READ_KEYS_MAX) break
      this.#asked.delete(name)
      asks.push(ask)
    }
    return asks
  }
}

function askFor<Key, Found>(key: Key): Ask<Key, Found> {
  let answer: (found: Found | undefined) => void = () => {}
  let fail: (error: unknown) => void = () => {}
  const found = new Promise<Found | undefined>((resolve, reject) => {
    answer = resolve
    fail = reject
  })
  return { key, found, answer, fail }
}
