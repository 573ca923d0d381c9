/** Records what the parser drops and changes in the events of one request. */

import { cleanText } from '../core/clean-text.ts'
import { DISTINCT_ID_LENGTH_MAX, EVENT_NAME_LENGTH_MAX } from '../core/limits/limits.ts'
import { cutText, plainText } from './clean-event-text.ts'
import type { IngestEvent } from './event.ts'
import type { RawEvent } from './raw-event.ts'
import { type Loss, type Losses, lossOf } from './warnings/ingestion-warning.ts'
import type { WarningReason } from './warnings/warning-reasons.ts'

/** Samples per request; further losses are only counted. */
const SAMPLES_MAX = 20
/** Characters quoted from a value that the client sent. */
const GIVEN_LENGTH_MAX = 100

export const NO_LOSSES: Losses = { counts: {}, samples: [] }

/** Collects losses; a request without any has `NO_LOSSES`, and allocates nothing. */
export class LossNotes {
  #losses: { counts: Partial<Record<WarningReason, number>>; samples: Loss[] } | undefined

  #last: Loss | undefined

  get losses(): Losses {
    return this.#losses ?? NO_LOSSES
  }

  add(loss: Loss): void {
    this.#losses ??= { counts: {}, samples: [] }
    const { counts, samples } = this.#losses
    // A name and a property of one event may have the same fault.
    if (loss.uuid !== '' && loss.uuid === this.#last?.uuid && loss.reason === this.#last.reason) {
      return
    }
    this.#last = loss
    counts[loss.reason] = (counts[loss.reason] ?? 0) + 1
    if (samples.length < SAMPLES_MAX) samples.push(loss)
  }
}

/**
 * An item that became no event. Its name and id are as far as they can be read.
 * @param index its place in the batch, from 0.
 */
export function droppedItem(
  reason: WarningReason,
  index: number,
  name: unknown,
  distinctId: unknown,
): Loss {
  return {
    reason,
    event: shownText(name, EVENT_NAME_LENGTH_MAX),
    distinctId: shownText(distinctId, DISTINCT_ID_LENGTH_MAX),
    uuid: '',
    index,
  }
}

/**
 * Losses of an event that is stored differently from how it was sent. Called for few events only:
 * see `isAsSent`.
 */
export function changesOf(raw: RawEvent, event: IngestEvent, uuid: unknown): Loss[] {
  const losses: Loss[] = []
  const texts = [
    [raw.name, event.event, EVENT_NAME_LENGTH_MAX],
    [raw.distinctId, event.distinctId, DISTINCT_ID_LENGTH_MAX],
  ] as const
  if (texts.some(([sent, , max]) => isCut(sent, max))) losses.push(lossOf('cut', event))
  if (texts.some(([sent, kept, max]) => kept !== cutText(plainText(sent), max))) {
    losses.push(lossOf('unstorable_text', event))
  }
  if (lacksItsUuid(raw, uuid)) losses.push(givenLoss('bad_uuid', event, uuid))
  return losses
}

/** One check per event; the texts of nearly all events are unchanged. */
export function isAsSent(raw: RawEvent, event: IngestEvent, uuid: unknown): boolean {
  return raw.name === event.event && raw.distinctId === event.distinctId && !lacksItsUuid(raw, uuid)
}

export function givenLoss(reason: WarningReason, event: IngestEvent, given: unknown): Loss {
  return { ...lossOf(reason, event), given: shownText(given, GIVEN_LENGTH_MAX) }
}

function isCut(sent: unknown, lengthMax: number): boolean {
  const text = plainText(sent)
  return text.length > lengthMax && cutText(text, lengthMax) !== text
}

function lacksItsUuid(raw: RawEvent, uuid: unknown): boolean {
  return raw.uuid === undefined && uuid !== undefined && uuid !== null && uuid !== ''
}

function shownText(value: unknown, lengthMax: number): string {
  return cleanText(cutText(plainText(value), lengthMax))
}
