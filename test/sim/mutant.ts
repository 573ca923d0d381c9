/** The form of a deliberate fault that the simulation must find. */
import type { Registry } from '../../cluster/members/registry.ts'
import type { MessageLog } from '../../src/core/message-log.ts'
import type { IngestWriter } from '../../src/ingest/writer-port.ts'

/**
 * A small fault in a run, which the checks must find. Faults of the stores are flags. A fault of
 * the product's parts wraps what the parts get.
 */
export type Mutant = {
  readonly name: string
  /** The failure of the run that finds it. */
  readonly found: RegExp
  /** The seed that found it last, which is tried first. Another one may find it by now. */
  readonly firstSeed: number
  /** A claim raises the epoch that was read, and not the current one. */
  readonly claimIgnoresEpoch?: boolean
  /** A claim does not wait for changes under the old epoch. */
  readonly claimDoesNotWait?: boolean
  /** A change does not check the epoch. */
  readonly fenceUnchecked?: boolean
  /** An event that is stored already is stored again. */
  readonly storesTwice?: boolean
  /** A flush is answered before its commit. */
  readonly flushAnswersEarly?: boolean
  /** A change that may have taken effect is sent again. */
  readonly changesSentAgain?: boolean
  /** The spill delivers no message a second time. */
  readonly handsOutOnce?: boolean
  /** The writer has no bound. */
  readonly writerUnbounded?: boolean
  readonly messages?: (log: MessageLog) => MessageLog
  readonly drainerWriter?: (writer: IngestWriter) => Pick<IngestWriter, 'submit' | 'status'>
  readonly registry?: (registry: Registry) => Registry
}

export const NO_MUTANT: Mutant = { name: 'none', found: /^$/, firstSeed: 1 }
