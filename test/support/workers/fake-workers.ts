/** A pool of workers whose answers the test gives. */
import { setImmediate as nextTurn } from 'node:timers/promises'
import { createMemoryMemberStore } from '../../../cluster/members/memory-member-store.ts'
import type { Member, View } from '../../../cluster/members/view.ts'
import type { EncodedBatch } from '../../../gateway/workers/ingest-codec.ts'
import type { CallOptions, WorkerLink } from '../../../gateway/workers/worker-link.ts'
import { createWorkerPool } from '../../../gateway/workers/worker-pool.ts'
import type { IngestBatchResponse__Output } from '../../../proto/gen/sluice/v1/IngestBatchResponse.ts'
import { projectId, type ShardId } from '../../../src/core/ids.ts'
import { NoAnswerError } from '../../../src/wire/no-answer.ts'
import { createFakeClock } from '../fake-clock.ts'

/** One call that a fake worker received; it hangs until the test ends it. */
export type FakeCall = {
  readonly worker: string
  readonly method: string
  readonly request: object
  readonly options: CallOptions
  /** Without an argument: the answer of a healthy worker. */
  answer(message?: object): void
  fail(error: Error): void
}

/** The process is gone, the port refuses, or the time is over. */
export const lost = () => new NoAnswerError('unavailable', 'connection reset', { sent: true })
export const refused = () => new NoAnswerError('unavailable', 'nobody there', { sent: false })
export const late = () => new NoAnswerError('deadline_exceeded', 'too late', { sent: true })

export function member(id: string, more: Partial<Member> = {}): Member {
  const fixed = { role: 'worker', state: 'active', weight: 1, version: '1' } as const
  return { id, address: `${id}:1`, ...fixed, ...more }
}

/**
 * A pool over workers that do what the test says. Every worker is heard at each moment unless it is
 * put into `silentSince`; nobody owns a shard unless `owners` says so.
 */
export function fakePool(ids: readonly string[]) {
  const clock = createFakeClock()
  const members = createMemoryMemberStore(ids.map((id) => member(id)))
  const calls: FakeCall[] = []
  const closed: string[] = []
  const connected: string[] = []
  const told: string[] = []
  const silentSince = new Map<string, number>()
  const owners = new Map<ShardId, string>()
  const counts = { failovers: 0, hedges: 0 }
  let show: (view: View) => void = () => undefined
  const pool = createWorkerPool({
    members: {
      view: () => members.view(),
      subscribe(listener) {
        show = listener
        return members.subscribe(listener)
      },
    },
    feed: {
      ownerOf: (shard) => owners.get(shard),
      silentMs(id) {
        const since = silentSince.get(id)
        return since === undefined ? 1 : clock.monotonic() - since
      },
      observeGeneration: (id, generation) => told.push(`${id} ${generation}`),
    },
    connect(worker) {
      connected.push(worker.id)
      return fakeLink(worker.id, calls, closed)
    },
    memberToken: () => 'token',
    newBatchId: () => 'batch',
    clock,
    random: () => 1,
    onFailover: () => counts.failovers++,
    onHedge: () => counts.hedges++,
  })
  return {
    pool,
    clock,
    members,
    calls,
    closed,
    connected,
    told,
    owners,
    counts,
    settle,
    /** Another view, with any number of changes at once. */
    show: (next: readonly string[]) => show({ version: 9, members: next.map((id) => member(id)) }),
    /** Silences the worker from now on. */
    silence: (id: string) => silentSince.set(id, clock.monotonic()),
    hear: (id: string) => silentSince.delete(id),
    async advance(ms: number) {
      await clock.advance(ms)
      await settle()
    },
    /** The newest call to a worker. */
    last(id: string): FakeCall {
      const call = calls.findLast(({ worker }) => worker === id)
      if (call === undefined) throw new Error(`${id} was not called`)
      return call
    },
    /** Ids of the called workers, in order. */
    asked: () => calls.map(({ worker }) => worker).join(' '),
  }
}

/** Lets submitted calls be sent, and answers be read. */
async function settle(): Promise<void> {
  for (let turn = 0; turn < 5; turn++) await nextTurn()
}

function fakeLink(worker: string, calls: FakeCall[], closed: string[]): WorkerLink {
  const begin = (method: string, request: object, options: CallOptions, usual: () => object) =>
    new Promise<object>((resolve, reject) => {
      options.signal?.addEventListener('abort', () => reject(lost()), { once: true })
      calls.push({
        worker,
        method: method.split('/').at(-1) ?? '',
        request,
        options,
        answer: (message) => resolve(message ?? usual()),
        fail: reject,
      })
    })
  const call: WorkerLink['call'] = (method, request, options) =>
    begin(method, request, options, () => usualAnswer(request))
  return {
    call,
    microBatch: call,
    async stream() {
      throw new Error('nobody reads streams here')
    },
    async ingestBatch(_batchId, batches, options) {
      const outcomes = batches.map(() => ({ code: '', retry_after_s: 0 }))
      const usual = () => ({ outcomes, cache_generation: `${worker}.0` })
      const answer = await begin('IngestBatch', { batches }, options, usual)
      return answer as IngestBatchResponse__Output // The test chooses the answer.
    },
    close: () => closed.push(worker),
  }
}

function usualAnswer(request: object): object {
  if (!('questions' in request) || !Array.isArray(request.questions)) return {}
  return { answers: request.questions.map(() => ({ code: '', members: '"ok"' })) }
}

export function batch(project: number, bytes = 100, hasPlugins = false): EncodedBatch {
  const content = { kind: 'events', events: [] } as const
  return { projectId: projectId(project), count: 1, bytes, hasPlugins, content }
}

export function question(project: number) {
  return {
    project_id: project,
    distinct_id: 'a',
    shape: 'v2',
    anon_distinct_id: '',
    device_id: '',
    groups: '',
    person_properties: '',
    group_properties: '',
    has_flag_keys: false,
    flag_keys: [],
    evaluation_runtime: '',
    evaluation_contexts: [],
  }
}
