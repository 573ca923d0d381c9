/** Bounds the concurrent requests of plugins. */
import { FetchFailed } from './fetch-request.ts'

/** Requests under way, and those that wait, of one config and of one worker. */
const PLUGIN_FETCH_CONFIG_MAX = 16
const PLUGIN_FETCH_WORKER_MAX = 128
const PLUGIN_FETCH_CONFIG_WAITING_MAX = 64
const PLUGIN_FETCH_WORKER_WAITING_MAX = 512
/** Bytes of bodies that all plugins of a worker send. */
const PLUGIN_FETCH_WORKER_BYTES_MAX = 67_108_864

/** A bounded number of concurrent requests. Others wait in the order of their arrival. */
export type RequestSlots = {
  /**
   * @returns the release of the slot.
   * @throws {FetchFailed} when too many requests wait; the signal's reason when it aborts first.
   */
  take(configId: number, bodyBytes: number, signal: AbortSignal): Promise<() => void>
}

type Waiter = { readonly configId: number; start(): void }

const FULL = 'fetch failed: too many requests are under way'

export function createRequestSlots(): RequestSlots {
  const running = new Map<number, number>()
  const waiting: Waiter[] = []
  let runningTotal = 0
  let bytesTotal = 0

  const isFree = (configId: number) =>
    runningTotal < PLUGIN_FETCH_WORKER_MAX && (running.get(configId) ?? 0) < PLUGIN_FETCH_CONFIG_MAX

  const count = (configId: number, by: 1 | -1) => {
    const now = (running.get(configId) ?? 0) + by
    runningTotal += by
    if (now === 0) running.delete(configId)
    else running.set(configId, now)
  }

  /** A config without a free slot does not hold up the requests behind it. */
  const startNext = () => {
    const index = waiting.findIndex(({ configId }) => isFree(configId))
    if (index !== -1) waiting.splice(index, 1)[0]?.start()
  }

  const wait = (configId: number, signal: AbortSignal) =>
    new Promise<void>((resolve, reject) => {
      const onAbort = () => {
        waiting.splice(waiting.indexOf(waiter), 1)
        reject(signal.reason)
      }
      const waiter: Waiter = {
        configId,
        start: () => {
          signal.removeEventListener('abort', onAbort)
          count(configId, 1)
          resolve()
        },
      }
      waiting.push(waiter)
      signal.addEventListener('abort', onAbort, { once: true })
    })

  const enter = async (configId: number, signal: AbortSignal) => {
    signal.throwIfAborted()
    if (isFree(configId)) {
      count(configId, 1)
      return
    }
    const ofConfig = waiting.filter((each) => each.configId === configId).length
    if (ofConfig >= PLUGIN_FETCH_CONFIG_WAITING_MAX) throw new FetchFailed(FULL)
    if (waiting.length >= PLUGIN_FETCH_WORKER_WAITING_MAX) throw new FetchFailed(FULL)
    await wait(configId, signal)
  }

  return {
    async take(configId, bodyBytes, signal) {
      if (bytesTotal + bodyBytes > PLUGIN_FETCH_WORKER_BYTES_MAX) throw new FetchFailed(FULL)
      bytesTotal += bodyBytes
      try {
        await enter(configId, signal)
      } catch (error) {
        bytesTotal -= bodyBytes
        throw error
      }
      return () => {
        bytesTotal -= bodyBytes
        count(configId, -1)
        startNext()
      }
    },
  }
}
