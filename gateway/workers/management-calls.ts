import { shardOf } from '../../cluster/shards/shard.ts'
import type { Clock } from '../../src/core/clock.ts'
import { AppError } from '../../src/core/code.ts'
import { type ProjectId, projectId, type ShardId, shardId } from '../../src/core/ids.ts'
import { methodByPath } from '../../src/wire/proto/proto.ts'
import type { Hold } from './hold.ts'
import { noWorker } from './no-worker.ts'
import type { WorkerCallOptions, WorkerClient } from './worker-client.ts'
import type { CallOptions } from './worker-link.ts'

/** Methods of a worker that are called here. */
type Callable = {
  call(
    method: string,
    request: object,
    options: CallOptions,
    onSilent?: () => void,
  ): Promise<object>
}

export type ManagementDeps<Worker> = {
  readonly clock: Clock
  readonly hold: Hold
  readonly best: (shard: ShardId) => Worker | undefined
  readonly next: (shard: ShardId, tried: readonly Worker[]) => Worker | undefined
  readonly onFailover: () => void
  readonly onHedge: () => void
}

/**
 * Makes management calls. A call that only reads is sent once to another worker when the first one
 * cannot answer or hangs. A call that changes something is sent again only when it surely had no
 * effect: its worker answered `not_owner`, or it was never sent.
 */
export function createManagementCalls<Worker extends Callable>(
  deps: ManagementDeps<Worker>,
): WorkerClient {
  const { clock, hold } = deps

  const read = async (
    shard: ShardId,
    run: (worker: Worker, onSilent?: () => void) => Promise<object>,
    worker: Worker,
  ): Promise<object> => {
    const other = (note: () => void) => {
      const next = deps.next(shard, [worker])
      if (next === undefined) return undefined
      note()
      return run(next)
    }
    return firstAnswer(
      (onSilent) => run(worker, onSilent),
      () => other(deps.onHedge),
      (error) => (isElsewhere(error) ? other(deps.onFailover) : undefined),
    )
  }

  return {
    call(method, request, { projectId: hint, ...options }) {
      const shard = shardFor(hint)
      const until = clock.monotonic() + options.timeoutMs
      const run = (worker: Worker, onSilent?: () => void) => {
        const timeoutMs = Math.max(1, until - clock.monotonic())
        return worker.call(method, request, { ...options, timeoutMs }, onSilent)
      }
      return hold.run(async () => {
        const worker = deps.best(shard)
        if (worker === undefined) throw noWorker()
        return isRead(method) ? read(shard, run, worker) : run(worker)
      }, options.signal)
    },
  }
}

/** Adds to counts: made twice, it would count twice. */
export const REPORT_WARNINGS = '/sluice.v1.IngestService/ReportWarnings'

/** True when REST serves the method by GET only, or not at all: it changes nothing cached here. */
export function isRead(method: string): boolean {
  if (method === REPORT_WARNINGS) return false
  const bindings = methodByPath(method)?.bindings ?? []
  return bindings.every(({ verb }) => verb === 'GET')
}

const INT32_MAX = 0x7fff_ffff
/** One worker gets all calls that are for no project, so that it has their keys cached. */
const SHARD_OF_NO_PROJECT = shardId(0)

export function shardFor(hint: WorkerCallOptions['projectId']): ShardId {
  const project = hintedProject(hint)
  return project === undefined ? SHARD_OF_NO_PROJECT : shardOf(project)
}

/** The hint comes from a path, which may name an id that no project can have. */
export function hintedProject(hint: WorkerCallOptions['projectId']): ProjectId | undefined {
  return hint === undefined || hint > INT32_MAX ? undefined : projectId(hint)
}

/** Whether another worker may be asked. */
export function isElsewhere(error: unknown): boolean {
  if (!(error instanceof AppError)) return false
  return error.code === 'unavailable' || error.code === 'deadline_exceeded'
}

/**
 * The first answer of a call and of at most one more like it. Fails when all calls have failed.
 * @param begin makes the call, and may report once that it hangs.
 * @param hedge makes another call when the first one hangs; `undefined` when no worker is left.
 * @param retry makes another call after a failure, unless `hedge` has made one.
 */
function firstAnswer<T>(
  begin: (onSilent: () => void) => Promise<T>,
  hedge: () => Promise<T> | undefined,
  retry: (error: unknown) => Promise<T> | undefined,
): Promise<T> {
  return new Promise((resolve, reject) => {
    let pending = 1
    let isAlone = true
    const fail = (error: unknown) => {
      pending--
      if (pending === 0) reject(error)
    }
    const add = (more: Promise<T> | undefined) => {
      if (more === undefined) return
      isAlone = false
      pending++
      more.then(resolve, fail)
    }
    const onSilent = () => {
      if (isAlone) add(hedge())
    }
    begin(onSilent).then(resolve, (error: unknown) => {
      if (isAlone) add(retry(error))
      fail(error)
    })
  })
}
