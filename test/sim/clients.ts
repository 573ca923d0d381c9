/** The clients of a run. They send events until these are acknowledged, and each change once. */
import { encodableBatch } from '../../gateway/workers/ingest-codec.ts'
import { AppError } from '../../src/core/code.ts'
import { projectId } from '../../src/core/ids.ts'
import { INGEST_DEADLINE_MS, MANAGEMENT_DEADLINE_MS } from '../../src/core/limits/limits.ts'
import { type IngestEvent, NO_PERSON_CHANGE } from '../../src/events/event.ts'
import type { SimGateway } from './gateway.ts'
import { POISON } from './postgres.ts'
import type { Site } from './site.ts'
import { CHANGE, type ChangeAnswer, type ChangeRequest } from './worker.ts'

export type ClientOptions = {
  /** Average pause between two batches of events, and between two changes. */
  readonly groupMs: number
  readonly changeMs: number
  readonly projects: readonly number[]
  /** Share of events that the database refuses. */
  readonly poison: number
  /**
   * Share of clients that give up sooner than a gateway does, and of those that send many requests
   * at once.
   */
  readonly impatient: number
  readonly bursts: number
}

export type Clients = {
  start(): void
  stop(): void
  /** Batches that are not acknowledged yet, and changes that are not answered. */
  waiting(): number
  /** Batches that were not acknowledged the first time, and changes that failed. */
  readonly failures: { batches: number; changes: number }
  readonly acked: { batches: number; changes: number }
  sendGroup(gateway?: SimGateway): void
  sendChange(project: number, gateway?: SimGateway): void
}

const RETRY_MS = 250
const SET = '{"plan":"paid"}'

/** @param gateways the running ones. */
export function createClients(
  site: Site,
  gateways: () => readonly SimGateway[],
  options: ClientOptions,
): Clients {
  const { sim, ledger, mutant } = site
  const { random } = sim
  const failures = { batches: 0, changes: 0 }
  const acked = { batches: 0, changes: 0 }
  let uuids = 0
  let ops = 0
  let waiting = 0
  let changing = 0
  let isStopped = false

  const makeEvent = (project: number): IngestEvent => {
    uuids += 1
    const isOrdered = random.chance(0.2)
    return {
      uuid: `00000000-0000-7000-8000-${uuids.toString(16).padStart(12, '0')}`,
      event: random.chance(options.poison) ? POISON : 'seen',
      distinctId: `p${project}-${random.integer(3)}`,
      timestamp: '2026-01-01T00:00:00.000000Z',
      properties: '{}',
      elementsChain: '',
      person: isOrdered ? { ...NO_PERSON_CHANGE, set: SET } : NO_PERSON_CHANGE,
      groups: [],
      groupChange: undefined,
    }
  }

  /** Calls a gateway from outside. A gateway that dies during the call does not answer. */
  const ask = <T>(
    gateway: SimGateway,
    timeoutMs: number,
    work: () => Promise<T>,
    done: (outcome: { value: T } | { error: unknown }) => void,
  ) => {
    let isOver = false
    const end = (outcome: { value: T } | { error: unknown }) => {
      if (isOver) return
      isOver = true
      cancel()
      gateway.process.onEnd.delete(onEnd)
      sim.after(random.between(0.1, 1), () => done(outcome))
    }
    const onEnd = () => end({ error: new Error('connection reset') })
    const cancel = sim.after(timeoutMs, () => end({ error: new Error('no answer') }))
    gateway.process.onEnd.add(onEnd)
    gateway.process.io(random.between(0.1, 1), () => {
      work().then(
        (value) => gateway.process.alive && end({ value }),
        (error: unknown) => gateway.process.alive && end({ error }),
      )
    })
  }

  const sendGroup = (wanted?: SimGateway) => {
    const project = random.pick(options.projects)
    const events = Array.from({ length: 1 + random.integer(4) }, () => makeEvent(project))
    const ids = events.map(({ uuid }) => uuid)
    ledger.send(ids)
    waiting += 1
    let isAcked = false
    const attempt = (tried: number) => {
      if (isAcked) return
      const gateway = tried === 0 && wanted !== undefined ? wanted : pickGateway()
      if (gateway === undefined) {
        sim.after(RETRY_MS, () => attempt(tried + 1))
        return
      }
      const batch = encodableBatch(projectId(project), events)
      // Some clients are less patient than the gateway.
      const timeoutMs =
        wanted === undefined && random.chance(options.impatient) ? 700 : 2 * INGEST_DEADLINE_MS
      ask(
        gateway,
        timeoutMs,
        () => gateway.pool.ingest(batch),
        (outcome) => {
          if ('value' in outcome && outcome.value.code === '') {
            if (!isAcked) {
              waiting -= 1
              acked.batches += 1
            }
            isAcked = true
            ledger.ack(ids)
            return
          }
          failures.batches += 1
          const why = 'value' in outcome ? outcome.value.code : outcome.error
          sim.note(() => `events ${ids[0]} and ${ids.length - 1} more are not taken: ${why}`)
          sim.after(random.between(RETRY_MS, 4 * RETRY_MS), () => attempt(tried + 1))
        },
      )
    }
    attempt(0)
  }

  const pickGateway = () => {
    const all = gateways()
    return all.length === 0 ? undefined : random.pick(all)
  }

  const sendChange = (project: number, wanted?: SimGateway) => {
    ops += 1
    const op = `c${ops}`
    const isSlow = wanted === undefined && random.chance(site.slowChanges)
    const ms = isSlow ? random.between(0, site.slowChangeMs) : 0
    const request: ChangeRequest = { project, op, ms }
    const since = ledger.ackedVersion(project)
    const attempt = (tried: number) => {
      const gateway = wanted ?? pickGateway()
      if (gateway === undefined) return
      changing += 1
      const call = { metadata: {}, timeoutMs: MANAGEMENT_DEADLINE_MS, projectId: project }
      const work = () => gateway.pool.call(CHANGE, request, call)
      ask(gateway, 2 * MANAGEMENT_DEADLINE_MS, work, (outcome) => {
        changing -= 1
        if ('value' in outcome) {
          acked.changes += 1
          ledger.ackChange(project, op, (outcome.value as ChangeAnswer).version, since)
          return
        }
        failures.changes += 1
        const { error } = outcome
        sim.note(() => `change ${op} of ${project} fails: ${error}`)
        const isKnown = error instanceof AppError || error instanceof Error
        if (mutant.changesSentAgain && tried < 2 && isKnown) attempt(tried + 1)
      })
    }
    attempt(0)
  }

  const often = (meanMs: number, send: () => void) => {
    const wait = -meanMs * Math.log(1 - random.next())
    sim.after(Math.min(wait, 10 * meanMs), () => {
      if (isStopped) return
      send()
      often(meanMs, send)
    })
  }

  return {
    start() {
      often(options.groupMs, () => {
        const burst = random.chance(options.bursts) ? 15 : 1
        for (let count = 0; count < burst; count++) sendGroup()
      })
      often(options.changeMs, () => sendChange(random.pick(options.projects)))
    },
    stop() {
      isStopped = true
    },
    waiting: () => waiting + changing,
    failures,
    acked,
    sendGroup,
    sendChange,
  }
}
