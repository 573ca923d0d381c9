/** Figures and sentences of the cluster page. */
import type { GetStatusResponse, Member } from '../../../client/index.ts'
import { formatNumber } from '../../data/format.ts'
import { MEMBERSHIP, REDIS, CLUSTER_TEXTS as TEXTS } from './texts.ts'

export type Status = GetStatusResponse
export type Tone = 'good' | 'bad' | 'none'

export function workersOf({ members }: Pick<Status, 'members'>): readonly Member[] {
  return members.filter(({ role }) => role !== 'gateway')
}

/** Health of the cluster, in one sentence. */
export function verdictOf(status: Pick<Status, 'members' | 'problems'>): {
  readonly tone: Tone
  readonly text: string
} {
  const { problems } = status
  if (problems.length > 0) {
    const what = problems.length === 1 ? 'is 1 problem' : `are ${problems.length} problems`
    return { tone: 'bad', text: `There ${what} to solve.` }
  }
  // A worker that is drained, or has just come, owns none.
  const owners = workersOf(status).filter(({ shards }) => shards > 0)
  const one = owners[0]?.role === 'worker' ? 'One worker owns' : 'One process owns'
  const who = owners.length === 1 ? one : `${formatNumber(owners.length)} workers own`
  return { tone: 'good', text: `All is well. ${who} all 256 shards, and every store answers.` }
}

export type Lamp = { readonly name: string; readonly text: string; readonly tone: Tone }

export function lampsOf({ database, membership, redis }: Status): readonly Lamp[] {
  return [
    {
      name: 'Postgres',
      text: database === 'down' ? 'does not answer' : 'answers',
      tone: database === 'down' ? 'bad' : 'good',
    },
    {
      name: 'NATS',
      text: MEMBERSHIP[membership] ?? membership,
      tone: membership === 'memory' ? 'none' : membership === 'connected' ? 'good' : 'bad',
    },
    {
      name: 'Redis',
      text: REDIS[redis] ?? redis,
      tone: redis === 'up' ? 'good' : redis === 'down' || redis === 'unsteady' ? 'bad' : 'none',
    },
  ]
}

/** Owner of shards, marked by a letter and a colour. */
export type Owner = {
  readonly id: string
  readonly letter: string
  readonly tone: number
  readonly name: string
  readonly shards: number
}

const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ'
const TONES = 8

/** Owners in the order of the members, so that letters are stable; departed members follow. */
export function ownersOf(status: Status): ReadonlyMap<string, Owner> {
  const counts = new Map<string, number>()
  for (const { owner, released } of status.shards) {
    if (!released) counts.set(owner, (counts.get(owner) ?? 0) + 1)
  }
  const members = workersOf(status)
  const known = new Set(members.map(({ id }) => id))
  const gone = [...counts.keys()].filter((id) => !known.has(id)).sort()
  const all = [
    ...members.map(({ id, address }) => ({ id, name: address })),
    ...gone.map((id) => ({ id, name: TEXTS.gone })),
  ]
  return new Map(
    all.map(({ id, name }, at) => {
      const letter = LETTERS[at % LETTERS.length] ?? ''
      return [id, { id, name, letter, tone: (at % TONES) + 1, shards: counts.get(id) ?? 0 }]
    }),
  )
}

/** The figures of all members together. */
export type Sample = {
  readonly events: number
  readonly decides: number
  readonly wait: number
  readonly queue: number
}

export function sampleOf(status: Status): Sample {
  const workers = workersOf(status)
  const sum = (of: (member: Member) => number) =>
    workers.reduce((total, member) => total + of(member), 0)
  return {
    events: sum(({ events_per_second: rate }) => rate),
    decides: sum(({ decides_per_second: rate }) => rate),
    wait: Math.max(0, ...workers.map(({ writer }) => writer?.oldest_wait_ms ?? 0)),
    queue: sum(({ writer }) => writer?.queued_events ?? 0),
  }
}

export function rateText(perSecond: number): string {
  if (perSecond >= 100) return formatNumber(Math.round(perSecond))
  return perSecond === 0 ? '0' : perSecond.toFixed(1)
}

export function waitText(ms: number): string {
  return ms < 1_000 ? `${Math.round(ms)} ms` : `${formatNumber(Math.round(ms / 1_000))} s`
}

/** Size of compressed events: whole kB, or MB. */
export function bytesText(bytes: number): string {
  return bytes < 1e6
    ? `${formatNumber(Math.ceil(bytes / 1e3))} kB`
    : `${formatNumber(Math.round(bytes / 1e6))} MB`
}

/** A month as the copy names it, such as `y2026m03`. */
export function monthText(month: string): string {
  if (month === 'persons') return 'distinct ids'
  if (month === 'old') return 'before 2000'
  return month === 'far' ? 'from 2100' : month.replace(/^y(\d{4})m(\d{2})$/, '$1-$2')
}
