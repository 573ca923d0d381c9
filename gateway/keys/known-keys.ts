import { createBoundedMap } from '../../src/core/bounded-map.ts'
import type { Clock } from '../../src/core/clock.ts'
import type { ProjectId } from '../../src/core/ids.ts'
import type { KeyResolution } from './gateway-project.ts'

/** Known keys of a gateway. */
const KEY_CACHE_MAX = 50_000
const KEY_CACHE_NEGATIVE_MAX = 50_000

/** A key that names no project. */
type UnknownKey = Pick<KnownKey, 'resolution' | 'expiresAt'>

type KnownKey = {
  readonly resolution: KeyResolution
  /** The generation in which it was kept. */
  readonly generation: number
  isVoid: boolean
  /** Monotonic milliseconds. */
  readonly at: number
  /** Monotonic; infinite for a key that does not expire. */
  readonly expiresAt: number
}

/**
 * Cache of keys, with entries that may be void. Entries for projects and entries for unknown keys
 * are bounded separately, so that a flood of random keys evicts no key in use. A void entry is
 * kept: it serves while the database is away.
 */
export class KnownKeys {
  readonly #clock: Pick<Clock, 'monotonic'>
  readonly #known = createBoundedMap<string, KnownKey>({ entriesMax: KEY_CACHE_MAX })
  readonly #unknown = createBoundedMap<string, UnknownKey>({
    entriesMax: KEY_CACHE_NEGATIVE_MAX,
  })
  readonly #keysOf = new Map<ProjectId, Set<string>>()
  /** Incremented by every void: an answer requested in an earlier generation may be outdated. */
  #generation = 0
  /** Generation that voided each project last. */
  readonly #voidedIn = new Map<ProjectId, number>()
  /** Entries of earlier generations are void, whatever their project. */
  #voidBefore = 0

  constructor(clock: Pick<Clock, 'monotonic'>) {
    this.#clock = clock
  }

  get generation(): number {
    return this.#generation
  }

  /** The entry of a key; `undefined` when there is none or it is void. */
  peek(key: string): KeyResolution | undefined {
    const entry = this.#known.get(key)
    if (entry === undefined) {
      const unknown = this.#unknown.get(key)
      return unknown === undefined || this.#hasExpired(unknown) ? undefined : unknown.resolution
    }
    if (entry.isVoid || entry.generation < this.#voidBefore) return undefined
    return this.#hasExpired(entry) ? undefined : entry.resolution
  }

  /**
   * The last known project of a key, void or not; of a personal key only if no change of keys
   * arrived since, because it may have been revoked.
   */
  last(key: string, isPersonal: boolean): Pick<KnownKey, 'resolution' | 'at'> | undefined {
    const entry = this.#known.get(key)
    if (entry === undefined || this.#hasExpired(entry)) return undefined
    const { resolution, generation } = entry
    const mayBeRevoked =
      isPersonal || (resolution.kind === 'project' && resolution.isPersonal === true)
    return mayBeRevoked && generation < this.#voidBefore ? undefined : entry
  }

  #hasExpired({ expiresAt }: UnknownKey): boolean {
    return expiresAt !== Number.POSITIVE_INFINITY && this.#clock.monotonic() >= expiresAt
  }

  /**
   * Keeps an answer that was requested in the generation `askedIn`. If its project was voided since
   * then, it is kept as void, unless there is a later answer.
   * @param expiresAt of the key, monotonic.
   */
  keep(key: string, resolution: KeyResolution, askedIn: number, expiresAt: number): void {
    if (resolution.kind !== 'project') {
      this.#known.delete(key)
      if (askedIn === this.#generation) this.#unknown.set(key, { resolution, expiresAt })
      return
    }
    const { id } = resolution.project
    const voided = Math.max(this.#voidBefore, this.#voidedIn.get(id) ?? 0)
    const isVoid = askedIn < voided
    if (isVoid && (this.#known.get(key)?.generation ?? -1) >= voided) return
    const at = this.#clock.monotonic()
    this.#known.set(key, { resolution, generation: this.#generation, isVoid, at, expiresAt })
    const keys = this.#keysOf.get(id)
    if (keys === undefined) this.#keysOf.set(id, new Set([key]))
    else keys.add(key)
    if (this.#keysOf.size <= KEY_CACHE_MAX) return
    // The sets also name keys of evicted entries: they are emptied before they grow for ever.
    this.#known.clear()
    this.#keysOf.clear()
  }

  voidProject(project: ProjectId): void {
    this.#generation++
    this.#voidedIn.set(project, this.#generation)
    // At the bound the list is cleared, which voids all answers under way.
    if (this.#voidedIn.size > KEY_CACHE_MAX) this.voidAll()
    for (const key of this.#keysOf.get(project) ?? []) {
      const entry = this.#known.get(key)
      if (entry !== undefined) entry.isVoid = true
    }
  }

  voidAll(): void {
    this.#generation++
    this.#voidBefore = this.#generation
    this.#voidedIn.clear()
    this.#unknown.clear()
  }
}
