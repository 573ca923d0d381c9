import type { MemberStore } from '../../cluster/member-store.ts'
import { candidates } from '../../cluster/rendezvous.ts'
import { shardOf } from '../../cluster/shard.ts'
import type { Member, View } from '../../cluster/view.ts'
import type { DecideAnswer__Output } from '../../proto/gen/sluice/v1/DecideAnswer.ts'
import type { DecideQuestion__Output } from '../../proto/gen/sluice/v1/DecideQuestion.ts'
import type { IngestOutcome__Output } from '../../proto/gen/sluice/v1/IngestOutcome.ts'
import type { KeyAnswer__Output } from '../../proto/gen/sluice/v1/KeyAnswer.ts'
import type { KeyQuestion__Output } from '../../proto/gen/sluice/v1/KeyQuestion.ts'
import { AppError, type Code } from '../../src/core/code.ts'
import { type ProjectId, shardId, projectId as toProjectId } from '../../src/core/ids.ts'
import type { EncodedGroup } from './ingest-codec.ts'
import type { WorkerCalls } from './worker-calls.ts'

/** Questions of the hot paths, sent to the worker that should own the project. */
export type WorkerPool = {
  /**
   * Hands events of one request to the project's worker, or to the next candidate when that one
   * does not answer: the same uuids make the second sending harmless.
   */
  ingest(group: EncodedGroup): Promise<IngestOutcome__Output>
  decide(question: DecideQuestion__Output): Promise<DecideAnswer__Output>
  resolveKey(question: KeyQuestion__Output): Promise<KeyAnswer__Output>
  /** A management call; `project` is a routing hint. Never sent twice: it may have had its effect. */
  call(
    method: string,
    request: object,
    options: {
      metadata: Readonly<Record<string, string>>
      timeoutMs: number
      signal?: AbortSignal
      projectId?: number
    },
  ): Promise<object>
  /** Workers in the view. */
  size(): number
  close(): Promise<void>
}

/** Codes after which the same question may be put to another worker. */
const ELSEWHERE: ReadonlySet<Code> = new Set(['unavailable', 'deadline_exceeded', 'not_owner'])

export function createWorkerPool(deps: {
  members: MemberStore
  connect: (member: Member) => WorkerCalls
}): WorkerPool {
  const workers = new Map<string, WorkerCalls>()
  let view: View = { version: 0, members: [] }

  const apply = (next: View) => {
    view = next
    const ids = new Set(next.members.map(({ id }) => id))
    for (const [id, calls] of workers) {
      if (ids.has(id)) continue
      workers.delete(id)
      calls.close()
    }
    for (const member of next.members) {
      if (!workers.has(member.id)) workers.set(member.id, deps.connect(member))
    }
  }
  const unsubscribe = deps.members.subscribe(apply)
  apply(deps.members.view())

  /** Workers to try for a project, best first. */
  const choose = (project: ProjectId | undefined): WorkerCalls[] => {
    const shard = project === undefined ? shardId(0) : shardOf(project)
    const chosen: WorkerCalls[] = []
    for (const { id } of candidates(shard, view)) {
      const calls = workers.get(id)
      if (calls !== undefined) chosen.push(calls)
    }
    return chosen
  }

  const first = (project: ProjectId | undefined): WorkerCalls => {
    const [calls] = workers.size === 1 ? workers.values() : choose(project)
    if (calls === undefined) throw nobody()
    return calls
  }

  /** Asks the best worker, and once the next best when that one cannot answer. */
  const ask = async <T>(
    project: ProjectId | undefined,
    run: (calls: WorkerCalls) => Promise<T>,
  ): Promise<T> => {
    try {
      return await run(first(project))
    } catch (error) {
      const next = choose(project)[1]
      if (next === undefined || !(error instanceof AppError) || !ELSEWHERE.has(error.code)) {
        throw error
      }
      return run(next)
    }
  }

  return {
    ingest: (group) => ask(group.projectId, (calls) => calls.ingest(group)),
    decide: (question) => ask(toProjectId(question.project_id), (calls) => calls.decide(question)),
    resolveKey: (question) => ask(undefined, (calls) => calls.resolveKey(question)),
    async call(method, request, { projectId: hint, ...options }) {
      const project = hint === undefined ? undefined : toProjectId(hint)
      return first(project).call(method, request, options)
    },
    size: () => workers.size,
    async close() {
      unsubscribe()
      await Promise.all([...workers.values()].map((calls) => calls.drained()))
      for (const calls of workers.values()) calls.close()
      workers.clear()
    },
  }
}

function nobody(): AppError {
  return new AppError('unavailable', 'no worker in the view', {
    detail: {
      type: 'server_error',
      code: 'server_error',
      detail: 'No worker is available. Try again.',
      attr: null,
      retryAfterS: 2,
    },
  })
}
