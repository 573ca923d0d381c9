/** The load of a fault test: captures, batches, decides, flag changes and persons. */
import { randomUUID } from 'node:crypto'
import { pause } from '../../support/until.ts'
import { runChanges } from './changes.ts'
import { createLoadClient, type LoadClient, type Sent, type Target } from './client.ts'
import { createHistory, type History } from './history.ts'
import { createJournal, isSuccess, type Journal, type Kind, noteAll, type Span } from './journal.ts'
import { runPersons } from './persons.ts'

/** A project under load, with a flag `live` that the load changes all the time. */
export type Project = {
  readonly id: number
  readonly projectKey: string
  readonly personalKey: string
  readonly liveFlag: number
}

/** Arrivals per second, whether or not earlier ones were answered. */
export type Rates = {
  readonly capture: number
  /** Batches of five events each. */
  readonly batch: number
  readonly decide: number
  /** Changes of each project; a writer sends one after the other. */
  readonly changes: number
  /** Clients that set a property and ask what it has changed, in turns. */
  readonly persons: number
}

export type Load = {
  readonly journal: Journal
  readonly history: History
  /** Sets the targets of requests: a balancer that has lost or found a gateway. */
  aim(targets: readonly Target[]): void
  /** Switches kinds of requests off and on; resolves when running ones have ended. */
  set(kinds: Partial<Record<'changes' | 'persons' | 'decides', boolean>>): Promise<void>
  /** Ends arrivals and waits for what is in flight: each until it succeeds, or gives up. */
  stop(): Promise<void>
}

export type Switch = {
  isOn: boolean
  /** Number of active clients. */
  busy: number
}

/** State shared by the clients of the load. */
export type LoadContext = {
  readonly client: LoadClient
  readonly journal: Journal
  readonly history: History
  readonly projects: readonly Project[]
  /** The gateways in turn. */
  readonly next: () => Target
  readonly targets: () => readonly Target[]
  readonly isStopped: () => boolean
  /** True when events were spilled lately: their properties are not visible yet. */
  readonly spills: () => Promise<boolean>
  readonly giveUpMs: number
}

const TICK_MS = 5
const BATCH_EVENTS = 5
const DISTINCT_IDS = 20
/** Requests of the open model at a time; more are counted as shed. */
const IN_FLIGHT_MAX = 4_000
const OFF_POLL_MS = 20

/** Starts clients against the gateways; they write into the journal and the history. */
export function startLoad(
  deps: {
    readonly projects: readonly Project[]
    readonly targets: readonly Target[]
    readonly spills: () => Promise<boolean>
    readonly standstills?: readonly Span[]
  },
  rates: Rates,
  options: { readonly giveUpMs: number },
): Load {
  const journal = createJournal(deps.standstills)
  const history = createHistory()
  const client = createLoadClient(journal)
  const { projects } = deps
  let { targets } = deps
  let turn = 0
  let isStopped = false
  const switches = { changes: on(), persons: on(), decides: on() }
  const next = (): Target => {
    turn += 1
    const target = targets[turn % targets.length]
    if (target === undefined) throw new Error('no gateway is left')
    return target
  }
  const context: LoadContext = {
    client,
    journal,
    history,
    projects,
    next,
    targets: () => targets,
    isStopped: () => isStopped,
    spills: deps.spills,
    giveUpMs: options.giveUpMs,
  }
  const inFlight = new Set<Promise<void>>()
  const launch = (work: () => Promise<void>) => {
    if (inFlight.size >= IN_FLIGHT_MAX) {
      journal.shed += 1
      return
    }
    const running = work().finally(() => inFlight.delete(running))
    inFlight.add(running)
  }
  const streams = [
    { rate: rates.capture, start: () => captureOnce(context, 1) },
    { rate: rates.batch, start: () => captureOnce(context, BATCH_EVENTS) },
    {
      rate: rates.decide,
      start: () => (switches.decides.isOn ? decideOnce(context) : Promise.resolve()),
    },
  ]
  const loops = [
    arrivals(streams, launch, () => isStopped),
    runChanges(context, rates.changes, switches.changes),
    runPersons(context, rates.persons, switches.persons),
  ]
  return {
    journal,
    history,
    aim: (next) => {
      targets = next
    },
    async set(kinds) {
      for (const kind of ['changes', 'persons', 'decides'] as const) {
        const wanted = kinds[kind]
        if (wanted !== undefined) switches[kind].isOn = wanted
      }
      const isBusy = () =>
        Object.values(switches).some((each: Switch) => !each.isOn && each.busy > 0)
      while (isBusy()) await pause(OFF_POLL_MS)
    },
    async stop() {
      isStopped = true
      await Promise.all(loops)
      while (inFlight.size > 0) await Promise.all(inFlight)
      client.close()
    },
  }
}

function on(): Switch {
  return { isOn: true, busy: 0 }
}

type Stream = { readonly rate: number; readonly start: () => Promise<void> }

/** Starts due arrivals, however late the loop itself is. */
async function arrivals(
  streams: readonly Stream[],
  launch: (work: () => Promise<void>) => void,
  isStopped: () => boolean,
): Promise<void> {
  const begin = performance.now()
  const made = streams.map(() => 0)
  while (!isStopped()) {
    const elapsedS = (performance.now() - begin) / 1_000
    for (const [index, { rate, start }] of streams.entries()) {
      for (; (made[index] ?? 0) < rate * elapsedS; made[index] = (made[index] ?? 0) + 1) {
        launch(start)
      }
    }
    await pause(TICK_MS)
  }
}

async function captureOnce(context: LoadContext, events: number): Promise<void> {
  const { client, journal, next, giveUpMs } = context
  const project = anyOf(context.projects)
  const uuids = Array.from({ length: events }, () => randomUUID())
  noteAll(journal.attempted, project.id, uuids)
  const sent = events === 1 ? single(project, uuids[0] ?? '') : batch(project, uuids)
  const startedAt = performance.now()
  const answer = await client.persist(sent, next, startedAt + giveUpMs)
  if (isSuccess(answer.status)) noteAll(journal.acked, project.id, uuids)
  note(journal, sent.kind, project.id, startedAt, answer)
}

function single({ projectKey }: Project, uuid: string): Sent {
  const body = { api_key: projectKey, event: 'load', distinct_id: anyId(), uuid, properties: {} }
  return { kind: 'capture', verb: 'POST', path: '/capture/', body: JSON.stringify(body) }
}

function batch({ projectKey }: Project, uuids: readonly string[]): Sent {
  const events = uuids.map((uuid) => ({
    event: 'load',
    uuid,
    properties: { distinct_id: anyId() },
    timestamp: new Date().toISOString(),
  }))
  const body = { api_key: projectKey, batch: events }
  return { kind: 'batch', verb: 'POST', path: '/batch/', body: JSON.stringify(body) }
}

async function decideOnce(context: LoadContext): Promise<void> {
  const { client, journal, history, next } = context
  const project = anyOf(context.projects)
  const startedAt = performance.now()
  const answer = await client.persist(decideOf(project, anyId()), next, startedAt)
  note(journal, 'decide', project.id, startedAt, answer)
  if (!isSuccess(answer.status)) return
  const value = liveValueOf(answer.body)
  if (value === undefined) {
    const said = JSON.stringify(answer.body).slice(0, 300)
    journal.faults.push(`decide of project ${project.id} at ${answer.gateway}: ${said}`)
  } else history.seen(project.id, { gateway: answer.gateway, sentAt: answer.sentAt, value })
}

/** Every flag of the project for a distinct id, with payloads. */
export function decideOf({ projectKey }: Project, distinctId: string): Sent {
  const body = JSON.stringify({ api_key: projectKey, distinct_id: distinctId })
  return { kind: 'decide', verb: 'POST', path: '/decide/?v=3', body }
}

/** The number that the load has put into the payload of the flag `live`. */
function liveValueOf(body: unknown): number | undefined {
  const payloads = fieldOf(body, 'featureFlagPayloads')
  const value = Number(fieldOf(payloads, 'live'))
  return Number.isInteger(value) ? value : undefined
}

export function fieldOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined
}

export function note(
  journal: Journal,
  kind: Kind,
  project: number,
  startedAt: number,
  answer: { readonly status: number; readonly endedAt: number; readonly attempts: number },
): void {
  const { status, endedAt, attempts } = answer
  const failed = status === 0 || status === 503 ? 'gave_up' : 'refused'
  const outcome = isSuccess(status) ? 'done' : failed
  journal.operations.push({ kind, project, startedAt, endedAt, attempts, outcome, status })
}

export function anyOf<T>(values: readonly T[]): T {
  const value = values[Math.floor(Math.random() * values.length)]
  if (value === undefined) throw new Error('nothing to choose from')
  return value
}

function anyId(): string {
  return `id ${Math.floor(Math.random() * DISTINCT_IDS)}`
}
