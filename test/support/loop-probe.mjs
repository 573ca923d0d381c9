// Runs within a process under test, before anything else of it: `--import` loads it. It writes
// a line for each turn of the main thread's event loop that has taken much processor time. Wall time
// would count what other programs of the machine take.
import { appendFileSync, openSync, readSync } from 'node:fs'
import { isMainThread } from 'node:worker_threads'

const TICK_MS = 10
/** Shorter turns are not worth a line. */
const NOTED_MS = 25

const file = process.env.SLUICE_LOOP_PROBE
if (isMainThread && file !== undefined) {
  const fd = openSync(`/proc/self/task/${process.pid}/schedstat`, 'r')
  const bytes = Buffer.alloc(64)
  const usedMs = () =>
    Number.parseInt(bytes.toString('latin1', 0, readSync(fd, bytes, 0, 64, 0)), 10) / 1e6
  let before = usedMs()
  const tick = () => {
    const now = usedMs()
    if (now - before > NOTED_MS) appendFileSync(file, `${process.pid} ${now - before}\n`)
    before = usedMs()
    setTimeout(tick, TICK_MS).unref()
  }
  setTimeout(tick, TICK_MS).unref()
}
