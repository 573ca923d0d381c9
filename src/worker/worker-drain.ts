/** Gives the shards of a worker back, for `sluice drain` and at the end of a process. */

import type { MemberStore } from '../../cluster/members/member-store.ts'
import { type Member, workersOf } from '../../cluster/members/view.ts'
import type { Shards } from '../../cluster/shards/shards-port.ts'
import type { DrainResponse } from '../../proto/gen/sluice/v1/DrainResponse.ts'
import type { Clock } from '../core/clock.ts'
import { AppError, type Code } from '../core/code.ts'
import { within } from '../core/deadline.ts'
import { DRAIN_WAIT_MAX_MS } from '../core/limits/limits.ts'
import type { Peers } from '../rpc/cluster/peers.ts'
import { echo } from '../wire/details.ts'

/** Members that the text of an error names. */
const NAMED_MEMBERS_MAX = 20

export type DrainDeps = {
  readonly members: Pick<MemberStore, 'view' | 'connected' | 'setState'>
  readonly shards: Pick<Shards, 'held' | 'drain'>
  readonly peers: Pick<Peers, 'drain'>
  /** This member. */
  readonly self: () => Pick<Member, 'id' | 'address'>
  readonly clock: Clock
}

export type Drains = {
  /**
   * Drains a worker, this one or another, by id or address.
   * @throws {AppError} `not_found`; `failed_precondition` when it must not or cannot be drained;
   * `deadline_exceeded` while it is still draining, and then the caller may ask again.
   */
  drain(node: string): Promise<DrainResponse>
  /**
   * Drains this worker, even when it is the last one. May be called again, also during a drain.
   * @returns how many shards were given back meanwhile.
   * @throws {AppError} `unavailable` when the others cannot be notified; `deadline_exceeded`.
   */
  drainSelf(withinMs?: number): Promise<number>
}

export function createDrains({ members, shards, peers, self, clock }: DrainDeps): Drains {
  let draining: Promise<void> | undefined

  /**
   * The others must know first. They would otherwise hand the released shards back to this worker.
   */
  const run = async (): Promise<void> => {
    await tell('draining')
    await shards.drain()
    await tell('drained')
  }
  const tell = async (state: 'draining' | 'drained'): Promise<void> => {
    try {
      await members.setState(self().id, state)
    } catch (cause) {
      const detail = `NATS has not confirmed that ${self().address} is ${state}: ask again.`
      throw refused('unavailable', detail, cause)
    }
  }

  const drainSelf = async (withinMs: number = DRAIN_WAIT_MAX_MS): Promise<number> => {
    const before = shards.held().size
    if (draining === undefined) {
      draining = run()
      // A later call may try again. The caller of this one gets the failure below.
      draining.catch(() => {
        draining = undefined
      })
    }
    await within(clock, { ms: withinMs }, draining, () => {
      const left = shards.held().size
      const detail = `It still holds ${left} shards and goes on draining: ask again.`
      throw refused('deadline_exceeded', detail)
    })
    return before - shards.held().size
  }

  const drain = async (node: string): Promise<DrainResponse> => {
    const view = members.view()
    const member = find(view.members, node)
    if (member.role === 'gateway') {
      const why = 'holds no shards: end it with SIGTERM, which loses no request.'
      throw refused('failed_precondition', `${nameOf(member)} is a gateway and ${why}`)
    }
    const others = workersOf(view).filter(({ id, state }) => id !== member.id && state === 'active')
    if (member.state === 'active' && others.length === 0) {
      const why = 'nobody would take its shards over. Start another worker first.'
      throw refused('failed_precondition', `${nameOf(member)} is the last active worker: ${why}`)
    }
    if (!members.connected()) {
      const why = 'the others would not hear of it. Try again when it does.'
      throw refused('failed_precondition', `NATS does not answer: ${why}`)
    }
    try {
      if (member.id !== self().id) return await peers.drain(member)
      return { member_id: member.id, address: member.address, released: await drainSelf() }
    } catch (error) {
      throw explained(error, member)
    }
  }

  return { drain, drainSelf }
}

/** @throws {AppError} `not_found`. */
function find(members: readonly Member[], node: string): Member {
  const byId = members.find(({ id }) => id === node)
  if (byId !== undefined) return byId
  // Gateways of one machine share an address, and none of them can be drained.
  const found = workersFirst(members).find(({ address }) => address === node)
  if (found !== undefined) return found
  const known = workersFirst(members).slice(0, NAMED_MEMBERS_MAX).map(nameOf)
  const more = members.length > NAMED_MEMBERS_MAX ? ' and more' : ''
  const names = known.length === 0 ? 'none' : `${known.join(', ')}${more}`
  const what = node === '' ? 'No member was named' : `No member ${echo(node)}`
  throw refused('not_found', `${what}. There are: ${names}.`)
}

function workersFirst(members: readonly Member[]): readonly Member[] {
  const isGateway = ({ role }: Member) => role === 'gateway'
  return [...members.filter((each) => !isGateway(each)), ...members.filter(isGateway)]
}

function nameOf({ address, id }: Member): string {
  return `${address} (${id})`
}

/** The error of a call without an answer says that the outcome is unknown. */
function explained(error: unknown, member: Member): unknown {
  if (!(error instanceof AppError)) return error
  switch (error.code) {
    case 'deadline_exceeded':
      return refused(
        'deadline_exceeded',
        error.detail?.detail ?? `${nameOf(member)} has not answered in time: ask again.`,
      )
    case 'unavailable':
      return refused(
        'unavailable',
        error.detail?.detail ?? `${nameOf(member)} does not answer. It may go on draining.`,
      )
    default:
      return error
  }
}

/** @param detail is shown to the operator. */
function refused(code: Code, detail: string, cause?: unknown): AppError {
  const isServers = code === 'unavailable' || code === 'deadline_exceeded'
  const type = isServers ? 'server_error' : 'invalid_request'
  return new AppError(code, detail, { cause, detail: { type, code, detail, attr: null } })
}
