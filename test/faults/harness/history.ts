/**
 * Compares what clients know of the flag `live` of each project with the history in the database.
 * Two writers change one field each of a flag, so that a writer that overwrites the other's change
 * with an older record is found.
 */

export type Field = 'payload' | 'name'

export type Ack = {
  readonly field: Field
  readonly value: number
  readonly version: number
  readonly gateway: string
  readonly ackedAt: number
}

/** An answered decide. */
export type Sighting = { readonly gateway: string; readonly sentAt: number; readonly value: number }

export type History = {
  tried(project: number, field: Field, value: number): void
  /** Records an unanswered attempt: it may take effect at any time, or never. */
  doubted(project: number, field: Field, value: number): void
  acked(project: number, ack: Ack): void
  made(project: number, key: string): void
  seen(project: number, sighting: Sighting): void
  readonly flags: ReadonlyMap<number, FlagRecord>
}

export type FlagRecord = {
  readonly acks: Ack[]
  readonly sightings: Sighting[]
  /** `field value`. */
  readonly tried: Set<string>
  readonly doubted: Set<string>
  readonly made: string[]
}

/** One version of a flag, from the audit log, in the order of their numbers. */
export type Version = {
  readonly version: number
  readonly payload: number
  readonly name: number
}

export function createHistory(): History {
  const flags = new Map<number, FlagRecord>()
  const of = (project: number): FlagRecord => {
    const record = flags.get(project) ?? emptyRecord()
    flags.set(project, record)
    return record
  }
  return {
    flags,
    tried: (project, field, value) => of(project).tried.add(`${field} ${value}`),
    doubted: (project, field, value) => of(project).doubted.add(`${field} ${value}`),
    acked: (project, ack) => of(project).acks.push(ack),
    made: (project, key) => of(project).made.push(key),
    seen: (project, sighting) => of(project).sightings.push(sighting),
  }
}

export function emptyRecord(): FlagRecord {
  return { acks: [], sightings: [], tried: new Set(), doubted: new Set(), made: [] }
}

/** Contradictions between committed versions and answers to clients, as sentences. */
export function judgeVersions(record: FlagRecord, versions: readonly Version[]): string[] {
  const problems: string[] = []
  for (const [index, version] of versions.entries()) {
    const before = versions[index - 1]
    if (before === undefined) continue
    if (version.version !== before.version + 1) {
      problems.push(`version ${version.version} follows ${before.version}`)
    }
    if (version.payload !== before.payload && version.name !== before.name) {
      problems.push(`version ${version.version} takes back what another writer changed`)
    }
    for (const field of ['payload', 'name'] as const) {
      if (version[field] === before[field]) continue
      const said = `${field} ${version[field]}`
      if (!record.tried.has(said)) problems.push(`nobody asked for ${said}`)
      const isLate = version[field] < before[field]
      if (isLate && !record.doubted.has(said)) problems.push(`${said} came back after it was over`)
    }
  }
  const byNumber = new Map(versions.map((version) => [version.version, version]))
  const last: Record<Field, number> = { payload: 0, name: 0 }
  for (const { field, value, version } of record.acks) {
    const stored = byNumber.get(version)
    if (stored === undefined) problems.push(`version ${version} was acked and is not there`)
    else if (stored[field] !== value) {
      problems.push(`version ${version} was acked with ${field} ${value}, has ${stored[field]}`)
    }
    if (version <= last[field]) {
      problems.push(`version ${version} was acked after ${last[field]} to the same writer`)
    }
    last[field] = version
  }
  return problems
}

export type Staleness = {
  /** Decides with a value that no version has. */
  readonly invented: number
  /** Decides that lacked a change which their own gateway had acked before they were sent. */
  readonly atOnce: number
  /** Longest time after the ack, in ms, in which decides of other gateways showed the old state. */
  readonly elsewhereMs: number
  /** Decides of other gateways that were older than the limit. */
  readonly late: number
  /** First examples of both kinds, as sentences. */
  readonly examples: readonly string[]
}

const EXAMPLES_MAX = 5

/** Measures the age of decide's answers; a change may need `limitMs` to reach other gateways. */
export function judgeSightings(
  record: FlagRecord,
  versions: readonly Version[],
  limitMs: number,
): Staleness {
  const lastVersionOf = new Map(versions.map(({ payload, version }) => [payload, version]))
  const acks = record.acks.filter(({ field }) => field === 'payload')
  const stale = { invented: 0, atOnce: 0, elsewhereMs: 0, late: 0, examples: [] as string[] }
  for (const { gateway, sentAt, value } of record.sightings) {
    const shown = lastVersionOf.get(value)
    if (shown === undefined) {
      stale.invented += 1
      continue
    }
    // The oldest change that is missing in the answer.
    const missed = acks.find(({ version, ackedAt }) => version > shown && ackedAt <= sentAt)
    if (missed === undefined) continue
    const isOwn = acks.some(
      (ack) => ack.version > shown && ack.gateway === gateway && ack.ackedAt <= sentAt,
    )
    if (isOwn) stale.atOnce += 1
    const ageMs = sentAt - missed.ackedAt
    stale.elsewhereMs = Math.max(stale.elsewhereMs, ageMs)
    if (ageMs > limitMs) stale.late += 1
    if ((isOwn || ageMs > limitMs) && stale.examples.length < EXAMPLES_MAX) {
      stale.examples.push(
        `${gateway} showed ${value} (version ${shown}) at ${Math.round(sentAt)} ms, ` +
          `${Math.round(ageMs)} ms after ${missed.gateway} acked ${missed.value} ` +
          `(version ${missed.version})`,
      )
    }
  }
  return stale
}
