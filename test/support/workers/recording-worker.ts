/** A worker link that records its calls. */
import type { WorkerCallOptions, WorkerClient } from '../../../gateway/workers/worker-client.ts'

export type RecordedCall = {
  readonly method: string
  readonly request: object
  readonly options: WorkerCallOptions
}

/** A worker that writes down what it is asked and answers what the test says; not a store. */
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
