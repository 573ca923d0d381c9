/** Judges inputs of one target within this process, which the fuzzer started for that. */
import { readFileSync } from 'node:fs'
import { HELD_MS_MAX, MEMORY_BYTES_MAX } from './held.ts'
import { judgeFlags } from './judges/flags.ts'
import { createPluginJudge } from './judges/plugins.ts'
import type { Judge } from './target.ts'

const judge: Judge = process.argv[2] === 'plugins' ? createPluginJudge() : judgeFlags

/** Bound of one input: longer would hold the event loop of the product. */
async function judged(input: Buffer): Promise<string | undefined> {
  const before = usedMs()
  const fault = await judge(input)
  const took = usedMs() - before
  if (fault !== undefined) return fault
  if (took > HELD_MS_MAX) return `it took ${Math.round(took)} ms of the main thread`
  const { rss } = process.memoryUsage()
  return rss > MEMORY_BYTES_MAX ? `the process has ${rss} bytes of memory` : undefined
}

/** Processor time of this thread. */
function usedMs(): number {
  return Number.parseInt(readFileSync('/proc/thread-self/schedstat', 'latin1'), 10) / 1e6
}

process.on('message', (message: { readonly input: Uint8Array }) => {
  judged(Buffer.from(message.input)).then(
    (fault) => process.send?.({ fault }),
    (error: unknown) =>
      process.send?.({
        fault: `it threw ${String(Error(String(error)).message)} ${error instanceof Error ? error.stack : ''}`,
      }),
  )
})
