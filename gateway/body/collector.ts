/**
 * Collects a thread's garbage when a large body has left much of it: bytes, text, values. Without
 * this, V8 lets each thread grow by some hundred MB.
 */
import { getHeapStatistics, setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { BODY_GARBAGE_BYTES_MAX } from '../../src/core/limits/limits.ts'

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
