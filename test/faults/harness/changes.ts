/** Writers that change the flag `live` of every project: two a flag, each with a field of its own. */
import { pause } from '../../support/until.ts'
import type { Sent, Target } from './client.ts'
import type { Field } from './history.ts'
import { isSuccess } from './journal.ts'
import { fieldOf, type LoadContext, note, type Project, type Switch } from './load.ts'

/** One in this many changes creates a new flag instead. */
const CREATE_EVERY = 10
const IDLE_MS = 20

/** Resolves when the load has stopped and every writer has ended its last change. */
export async function runChanges(
  context: LoadContext,
  ratePerProject: number,
  gate: Switch,
): Promise<void> {
  if (ratePerProject <= 0) return
  const fields: readonly Field[] = ['payload', 'name']
  const pauseMs = (1_000 * fields.length) / ratePerProject
  await Promise.all(
    context.projects.flatMap((project) =>
      fields.map((field, index) => write(context, project, { field, index, pauseMs, gate })),
    ),
  )
}

type Writer = {
  readonly field: Field
  readonly index: number
  readonly pauseMs: number
  readonly gate: Switch
}

async function write(context: LoadContext, project: Project, writer: Writer): Promise<void> {
  const { field, index, pauseMs, gate } = writer
  // Writers of one flag prefer different gateways, and change gateway only after a failure.
  let turn = index
  const next = (): Target => {
    const targets = context.targets()
    const target = targets[turn % targets.length]
    turn += 1
    if (target === undefined) throw new Error('no gateway is left')
    return target
  }
  await pause(Math.random() * pauseMs)
  for (let value = 1; !context.isStopped(); value += 1) {
    while (!gate.isOn && !context.isStopped()) await pause(IDLE_MS)
    if (context.isStopped()) return
    gate.busy += 1
    turn = index
    if (field === 'name' && value % CREATE_EVERY === 0) await create(context, project, value, next)
    else await change(context, project, { field, value }, next)
    gate.busy -= 1
    await pause(pauseMs * (0.5 + Math.random()))
  }
}

/** Attempts until one is answered; each attempt that was not may have taken effect, or may yet. */
async function change(
  { client, journal, history, giveUpMs }: LoadContext,
  project: Project,
  { field, value }: { readonly field: Field; readonly value: number },
  next: () => Target,
): Promise<void> {
  const sent: Sent = {
    kind: 'change',
    verb: 'PATCH',
    path: `/api/projects/${project.id}/feature_flags/${project.liveFlag}/`,
    body: JSON.stringify(field === 'name' ? { name: String(value) } : { filters: live(value) }),
    key: project.personalKey,
  }
  const startedAt = performance.now()
  history.tried(project.id, field, value)
  const answer = await client.persist(sent, next, startedAt + giveUpMs)
  note(journal, 'change', project.id, startedAt, answer)
  if (answer.attempts > 1 || !isSuccess(answer.status)) history.doubted(project.id, field, value)
  if (!isSuccess(answer.status)) return
  const { gateway, endedAt } = answer
  const version = Number(fieldOf(answer.body, 'version'))
  history.acked(project.id, { field, value, version, gateway, ackedAt: endedAt })
}

/** Creates a flag with a key of its own. If refused as taken after an unanswered try, it exists. */
async function create(
  { client, journal, history, giveUpMs }: LoadContext,
  project: Project,
  value: number,
  next: () => Target,
): Promise<void> {
  const key = `made-${value}`
  const sent: Sent = {
    kind: 'change',
    verb: 'POST',
    path: `/api/projects/${project.id}/feature_flags/`,
    body: JSON.stringify({ key, active: false }),
    key: project.personalKey,
    takenAfterRetry: true,
  }
  const startedAt = performance.now()
  const answer = await client.persist(sent, next, startedAt + giveUpMs)
  note(journal, 'change', project.id, startedAt, answer)
  if (isSuccess(answer.status)) history.made(project.id, key)
}

/** Filters of the flag `live`: on for everybody, with the value in the payload. */
export function live(value: number): object {
  const groups = [{ properties: [], rollout_percentage: 100 }]
  return { groups, payloads: { true: String(value) } }
}
