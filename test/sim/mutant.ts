import type { Registry } from '../../cluster/members/registry.ts'
import type { MessageLog } from '../../src/core/message-log.ts'
import type { IngestWriter } from '../../src/ingest/writer-port.ts'

/**
 * A small mistake put into a run, which the checks must find. The stores' own mistakes are flags;
 * those of the product's parts are wrapped around what the parts are handed.
 */
export type Mutant = {
  readonly name: string
  /** What the run that finds it says. */
  readonly found: RegExp
  /** The run that found it last, which is tried first: it may be another one by now. */
  readonly firstSeed: number
  /** A claim raises whatever epoch was seen, not the one that there is. */
  readonly claimIgnoresEpoch?: boolean
  /** A claim does not wait for changes that hold the old epoch. */
  readonly claimDoesNotWait?: boolean
  /** A change does not look at the epoch. */
  readonly fenceUnchecked?: boolean
  /** An event that is known already is stored again. */
  readonly storesTwice?: boolean
  /** A flush is answered before its commit. */
  readonly flushAnswersEarly?: boolean
  /** A change that may have been done is sent again. */
  readonly changesSentAgain?: boolean
  /** Nothing that was handed out by the spill comes again. */
  readonly handsOutOnce?: boolean
  /** The writer takes whatever comes. */
  readonly writerUnbounded?: boolean
  readonly messages?: (log: MessageLog) => MessageLog
  readonly drainerWriter?: (writer: IngestWriter) => Pick<IngestWriter, 'submit' | 'status'>
  readonly registry?: (registry: Registry) => Registry
}

export const NO_MUTANT: Mutant = { name: 'none', found: /^$/, firstSeed: 1 }
