/** Drains a member and follows how its shards move to other workers. */
import type { DrainResponse__Output } from '../../../proto/gen/sluice/v1/DrainResponse.ts'
import type { GetStatusResponse__Output } from '../../../proto/gen/sluice/v1/GetStatusResponse.ts'
import type { Clock } from '../../core/clock.ts'
import { AppError } from '../../core/code.ts'

export type DrainNodeDeps = {
  readonly clock: Clock
  /** Drains a worker in one call of at most `timeoutMs`. */
  readonly drain: (node: string, timeoutMs: number) => Promise<DrainResponse__Output>
  readonly status: () => Promise<GetStatusResponse__Output>
  /** One line of progress. */
  readonly show: (line: string) => void
}

export type Drained = {
  readonly member_id: string
  readonly address: string
  readonly released: number
}

const POLL_MS = 500

/**
 * Drains a member, and waits until every shard has another owner: then the process can be ended
 * without a failed request.
 * @throws {AppError} `deadline_exceeded`, errors of the worker, the signal's reason. A drain that
 * has begun continues.
 */
export async function drainNode(
  { clock, drain, status, show }: DrainNodeDeps,
  { node, timeoutMs }: { readonly node: string; readonly timeoutMs: number },
  signal: AbortSignal,
): Promise<Drained> {
  const startedAt = clock.monotonic()
  const leftMs = () => startedAt + timeoutMs - clock.monotonic()
  let shown = ''
  const showOnce = (line: string) => {
    if (line !== shown) show(line)
    shown = line
  }
  showOnce(`draining ${node}`)
  let drained: DrainResponse__Output | undefined
  while (drained === undefined) {
    try {
      const leftOrOne = Math.max(1, leftMs())
      drained = await Promise.race([drain(node, leftOrOne), aborted(signal)])
    } catch (error) {
      const goesOn = error instanceof AppError && error.code === 'deadline_exceeded'
      if (!goesOn || leftMs() <= 0) throw error
      showOnce(error.message)
      await clock.sleep(POLL_MS, signal)
    }
  }
  const { member_id: id, address, released } = drained
  showOnce(`${address} holds no shards any more`)
  for (;;) {
    const open = openQuestion(await status(), id)
    if (open === undefined) break
    showOnce(open)
    if (leftMs() <= 0) {
      const detail = `${address} is drained, but ${open}: see "sluice status"`
      throw new AppError('deadline_exceeded', detail)
    }
    await clock.sleep(Math.min(POLL_MS, Math.max(1, leftMs())), signal)
  }
  showOnce(`${address} is drained: end it with SIGTERM`)
  return { member_id: id, address, released }
}

/** Reason not to end the drained process yet; `undefined` when there is none. */
function openQuestion(
  { shards, members }: GetStatusResponse__Output,
  drained: string,
): string | undefined {
  // Without Postgres the rows of the shards are not known.
  if (shards.length === 0) return 'the owners of the shards are not known'
  const workers = members.filter(({ id, role }) => role !== 'gateway' && id !== drained)
  const owners = new Set(workers.map(({ id }) => id))
  const unowned = shards.filter(({ owner, released }) => released || !owners.has(owner)).length
  return unowned === 0 ? undefined : `${unowned} shards have no owner yet`
}

function aborted(signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    if (signal.aborted) reject(signal.reason)
    else signal.addEventListener('abort', () => reject(signal.reason), { once: true })
  })
}
