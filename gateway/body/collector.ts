/**
 * Collects a thread's garbage when a large body has left much of it: bytes, text, values. Without
 * this, V8 lets each thread grow by some hundred MB.
 */
import { getHeapStatistics, setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

/**
 * Bytes of garbage that bodies may leave on a thread until it is collected. More than the 16 MB
 * that V8 collects as young by itself, for much less: at 16 MB, a batch of 100 page views cost its
 * thread twice as much.
 */
const BODY_GARBAGE_BYTES_MAX = 25_165_824

/** Call it when only held payloads are still in use. */
export function createCollector(): () => void {
  setFlagsFromString('--expose-gc')
  const gc: unknown = runInNewContext('gc')
  if (typeof gc !== 'function') return () => {}
  let kept = used()
  return () => {
    if (used() - kept < BODY_GARBAGE_BYTES_MAX) return
    gc()
    kept = used()
  }
}

/** Bytes of this thread's heap and of its external memory. */
function used(): number {
  const { used_heap_size: heap, external_memory: external } = getHeapStatistics()
  return heap + external
}
