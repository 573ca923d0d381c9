/** Log lines of a part that fails and recovers: a pair for one outage, a count for many. */
import type { Clock } from '../clock.ts'
import type { Fields, Log } from '../log.ts'

/** Window after a line in which outages are counted, and logged in one line at its end. */
export const OUTAGES_TOLD_MS = 60_000

/** `unsteady`: it works at the moment, and failed more than once within a minute. */
export type Steadiness = 'up' | 'unsteady' | 'down'

export type OutageWords = {
  /** `error` when an operator must act now. */
  readonly level: 'warn' | 'error'
  readonly away: string
  readonly back: string
}

/**
 * The one place where such pairs are logged. The first outage and its end are logged at once.
 * Further ones within a minute are counted: the next line of `away` has their number as `times`.
 * `back` follows once a minute has passed without any.
 */
export class Outages {
  readonly #clock: Pick<Clock, 'after'>
  readonly #log: Log
  readonly #words: OutageWords
  #isAway = false
  /** The last line reported it as away. */
  #isAwayLogged = false
  /** Outages since the last line of `away`. */
  #unlogged = 0
  /** The minute before had more than one. */
  #wasUnsteady = false
  #isMinuteOpen = false
  #fields: Fields | undefined

  constructor(
    deps: { readonly clock: Pick<Clock, 'after'>; readonly log: Log },
    words: OutageWords,
  ) {
    this.#clock = deps.clock
    this.#log = deps.log
    this.#words = words
  }

  get state(): Steadiness {
    if (this.#isAway) return 'down'
    return this.#unlogged > 0 || this.#wasUnsteady ? 'unsteady' : 'up'
  }

  /** It fails, or still does. @param fields of the failure, for the log. */
  away(fields?: Fields): void {
    if (this.#isAway) return
    this.#isAway = true
    this.#fields = fields
    if (this.#isMinuteOpen) this.#unlogged += 1
    else this.#logAway(fields)
  }

  /** It works, or still does. */
  back(fields?: Fields): void {
    if (!this.#isAway) return
    this.#isAway = false
    if (this.#unlogged === 0 && !this.#wasUnsteady) this.#logBack(fields)
  }

  #logAway(fields: Fields | undefined): void {
    this.#log[this.#words.level](this.#words.away, fields)
    this.#isAwayLogged = true
    this.#isMinuteOpen = true
    this.#clock.after(OUTAGES_TOLD_MS, () => this.#endMinute())
  }

  #logBack(fields?: Fields): void {
    this.#log.info(this.#words.back, fields)
    this.#isAwayLogged = false
  }

  #endMinute(): void {
    this.#isMinuteOpen = false
    const times = this.#unlogged
    this.#unlogged = 0
    this.#wasUnsteady = times > 0
    if (times > 0) this.#logAway({ ...this.#fields, times })
    else if (this.#isAwayLogged && !this.#isAway) this.#logBack()
  }
}
