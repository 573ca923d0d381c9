/** One body thread, as its owner sees it. */

import { type TransferListItem, Worker } from 'node:worker_threads'
import type { Clock } from '../../src/core/clock.ts'
import { BODY_BYTES_MAX, BODY_THREAD_REPLY_MS } from '../../src/core/limits/limits.ts'
import type { Log } from '../../src/core/log.ts'
import type { ThreadData, ThreadReply, ThreadRequest } from './thread-protocol.ts'

/**
 * Some six times what the worst admitted bodies of the default bound need; beyond it the thread
 * ends, not the process.
 */
const HEAP_MB_MAX = 1_536

/** One body thread. A dead one answers nothing more; its owner starts another. */
export type BodyThread = {
  /** The thread's reply, or undefined when it ended, or did not reply in time and was ended. */
  call(request: ThreadRequest, transfer?: readonly TransferListItem[]): Promise<Reply>
  /** A message without a reply. */
  post(request: ThreadRequest): void
  end(): Promise<void>
}
export type Reply = ThreadReply | undefined

export type BodyThreadDeps = { readonly clock: Clock; readonly log: Log }

function heapScale({ bodyBytesMax }: ThreadData): number {
  return Math.ceil(Math.max(1, bodyBytesMax / BODY_BYTES_MAX))
}

/** @param onEnd called once, after the calls under way were answered. */
export function startBodyThread(
  { clock, log }: BodyThreadDeps,
  script: URL,
  data: ThreadData,
  onEnd: () => void,
): BodyThread {
  const worker = new Worker(script, {
    workerData: data,
    resourceLimits: { maxOldGenerationSizeMb: HEAP_MB_MAX * heapScale(data) },
  })
  const waiting = new Map<number, (reply: Reply) => void>()
  let isEnding = false
  let hasEnded = false

  const settle = (id: number, reply: Reply) => {
    const resolve = waiting.get(id)
    waiting.delete(id)
    // An idle thread must not keep the process alive, a busy one must.
    if (waiting.size === 0) worker.unref()
    resolve?.(reply)
  }
  const end = async () => {
    isEnding = true
    await worker.terminate()
  }
  worker.unref()
  worker.on('message', (reply: ThreadReply) => settle(reply.id, reply))
  worker.on('error', (error) => log.error('body thread failed', { error }))
  worker.on('exit', (exitCode) => {
    hasEnded = true
    if (!isEnding) log.warn('body thread ended', { exitCode })
    for (const id of [...waiting.keys()]) settle(id, undefined)
    onEnd()
  })

  return {
    call(request, transfer = []) {
      if (hasEnded) return Promise.resolve(undefined)
      return new Promise((resolve) => {
        const cancel = clock.after(BODY_THREAD_REPLY_MS, () => {
          log.error('body thread did not answer', { request: request.kind })
          void end()
        })
        waiting.set(request.id, (reply) => {
          cancel()
          resolve(reply)
        })
        worker.ref()
        worker.postMessage(request, transfer)
      })
    },
    post(request) {
      if (!hasEnded) worker.postMessage(request)
    },
    end,
  }
}
