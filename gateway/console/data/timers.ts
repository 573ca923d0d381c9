/** The console's clock: the only place that reads time or sets timers. */

/** Tolerance for the `Date` header, which is in whole seconds and some time old. */
const TOLD_MS = 5_000

/** Milliseconds by which the clock of this device is behind the server's. */
let behindMs = 0

/** Milliseconds since the epoch by the server's clock, which dates what is compared with it. */
export function now(): number {
  return Date.now() + behindMs
}

/** @param date the header of an answer that has come just now. */
export function setClock(date: string | null): void {
  const offMs = Date.parse(date ?? '') - Date.now()
  if (!Number.isNaN(offMs)) behindMs = Math.abs(offMs) < TOLD_MS ? 0 : offMs
}

/** Milliseconds of a clock that never jumps, for measuring how long something takes. */
export function tick(): number {
  return performance.now()
}

/** Runs `work` once. @returns a function that cancels it. */
export function after(ms: number, work: () => void): () => void {
  const timer = setTimeout(work, ms)
  return () => clearTimeout(timer)
}

/** Like `after`, but never while the tab is hidden: then as soon as it is shown. */
export function afterInSight(ms: number, work: () => void, page = tab.document): () => void {
  const due = tick() + ms
  let cancel = () => {}
  const stop = () => {
    cancel()
    page.removeEventListener('visibilitychange', look)
  }
  const run = () => {
    stop()
    work()
  }
  const look = () => {
    cancel()
    if (!page.hidden) cancel = after(Math.max(0, due - tick()), run)
  }
  page.addEventListener('visibilitychange', look)
  look()
  return stop
}

/** By its shape: tests of units are compiled without the types of a browser. */
const tab = globalThis as unknown as {
  readonly document: EventTarget & { readonly hidden: boolean }
}

/** Resolves after a time, and at once when `signal` aborts. */
export function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const cancel = after(ms, resolve)
    const leave = () => {
      cancel()
      resolve()
    }
    if (signal.aborted) leave()
    else signal.addEventListener('abort', leave, { once: true })
  })
}
