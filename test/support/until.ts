/** Far beyond every promised time, so that a slow machine does not fail a test. */
const UNTIL_MS = 180_000
const POLL_MS = 20

export type UntilOptions = {
  readonly withinMs?: number
  readonly pollMs?: number
  /** Added to the failure. */
  readonly seen?: () => unknown
}

/** Polls until `holds`, also after it throws. Fails with `what` and the last value of `seen`. */
export async function until(
  what: string,
  holds: () => boolean | Promise<boolean>,
  options: UntilOptions = {},
): Promise<void> {
  const deadline = performance.now() + (options.withinMs ?? UNTIL_MS)
  let failure: unknown
  while (performance.now() < deadline) {
    try {
      if (await holds()) return
      failure = undefined
    } catch (error) {
      failure = error // Often a server that is not there yet.
    }
    await pause(options.pollMs ?? POLL_MS)
  }
  const seen = options.seen === undefined ? '' : `: ${JSON.stringify(options.seen())}`
  throw new Error(`not in time: ${what}${seen}`, { cause: failure })
}

/** Gives a load time to meet a fault. Not for waiting until something has happened: use `until`. */
export function pause(ms: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, ms)
  })
}

const DAY_MS = 86_400_000

/**
 * For what would come out differently with a midnight (UTC) in it: waits for the next day where less
 * than `ms` of this one are left.
 */
export async function clearOfMidnight(ms = 30_000): Promise<void> {
  const leftMs = DAY_MS - (Date.now() % DAY_MS)
  if (leftMs < ms) await pause(leftMs + 1)
}
