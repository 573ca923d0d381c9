/**
 * Collects a thread's garbage when a large body has left much of it: its bytes, its text, its
 * values. Left to itself, V8 lets some hundred MB of them be, for each thread.
 */
import { getHeapStatistics, setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { BODY_GARBAGE_BYTES_MAX } from '../../src/core/limits/limits.ts'

/** To be called where nothing of a body is in use any more but what is held. */
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

/** Bytes of this thread's heap and of what hangs on it. */
function used(): number {
  const { used_heap_size: heap, external_memory: external } = getHeapStatistics()
  return heap + external
}
