/** The messages between the event loop and a body thread. */

import type { ErrorDetail } from '../../src/core/code.ts'
import type { Result } from '../../src/core/result.ts'
import type { IngestContext } from '../../src/events/parse-event.ts'
import type { Losses } from '../../src/events/warnings/ingestion-warning.ts'
import type { Form } from '../../src/wire/validation/validate.ts'
import type { BodyHead, OpenMeta } from './body-open.ts'
import type { EventChunk } from './chunk.ts'
import type { DecodeError } from './decode-error.ts'
import type { FormFields } from './form.ts'
import type { WantedMembers } from './rest-body.ts'

/**
 * Between the event loop and a body thread. `id` names one body. `open` is answered by `opened` or
 * `refused`; an opened body is held until `normalise`, which is answered, or `discard`, which is
 * not.
 */
export type ThreadRequest =
  | {
      kind: 'open'
      id: number
      body: Uint8Array<ArrayBuffer>
      meta: OpenMeta
      purpose: OpenPurpose
    }
  | { kind: 'normalise'; id: number; context: IngestContext }
  | { kind: 'discard'; id: number }
  | { kind: 'rest'; id: number; body: Uint8Array<ArrayBuffer>; meta: RestMeta }

/** Metadata of a management body, which is answered at once and not held. */
export type RestMeta = {
  readonly contentType: string | undefined
  readonly wanted: WantedMembers
}

/** JSON as text: parsing it again costs the event loop less than a structured clone. */
export type RestText = { kind: 'json'; text: string } | { kind: 'form'; form: Form }

/**
 * Purpose for which a body is opened. `events`: its payload is held and normalised later.
 * `payload`: its payload is handed back, and nothing is held.
 */
export type OpenPurpose = 'events' | 'payload'

export type ThreadReply =
  | { kind: 'opened'; id: number; head: BodyHead; form: FormFields; payloadJson: string }
  | {
      kind: 'normalised'
      id: number
      chunks: EventChunk[]
      losses: Losses
      results: string
    }
  | { kind: 'rest'; id: number; result: Result<RestText, ErrorDetail> }
  | { kind: 'refused'; id: number; error: DecodeError }
  /** A bug of ours, not of the body. */
  | { kind: 'failed'; id: number; message: string }

export type ThreadData = { readonly encoderModule: string; readonly bodyBytesMax: number }
