/** A worker link that records its calls. */
import type { WorkerCallOptions, WorkerClient } from '../../../gateway/workers/worker-client.ts'

export type RecordedCall = {
  readonly method: string
  readonly request: object
  readonly options: WorkerCallOptions
}

/** A worker that records its calls and answers as the test says; it stores nothing. */
export function recordingWorker(answer: (call: RecordedCall) => object | Promise<object>): {
  readonly worker: WorkerClient
  readonly calls: RecordedCall[]
} {
  const calls: RecordedCall[] = []
  const worker: WorkerClient = {
    async call(method, request, options) {
      const call = { method: method.split('/').at(-1) ?? '', request, options }
      calls.push(call)
      return answer(call)
    },
  }
  return { worker, calls }
}
