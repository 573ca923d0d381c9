/** Reads the two kinds of forms that clients send events in. */

import { ok, type Result } from '../../src/core/result.ts'
import { unescapeBytes, unescapeText } from '../http/query.ts'
import type { KeyFields } from '../keys/token.ts'
import { type DecodeError, INVALID_PAYLOAD, NO_DATA } from './decode-error.ts'
import { readParts } from './multipart-parts.ts'

/** Fields of a form body, and parts of a multipart one. */
const FORM_FIELDS_MAX = 256

/** Fields beside `data`; absent ones are undefined. Longer than any of them can be: cut. */
export type FormFields = KeyFields & {
  readonly sentAt: string | undefined
  readonly compression: string | undefined
}

export type Form = { readonly data: Buffer; readonly fields: FormFields }

export const NO_FIELDS: FormFields = {
  apiKey: undefined,
  token: undefined,
  sentAt: undefined,
  compression: undefined,
  projectId: undefined,
}

const FIELD_LENGTH_MAX = 1_024
const NAME_LENGTH_MAX = 64
const PLUS = 43
const SPACE = 32

type Fields = Map<string, string>

/**
 * Reads an urlencoded form. `data` may come un-encoded: its `+` then reads as a space, which the
 * base64 step turns back. The first field of a name counts.
 */
export function parseUrlEncoded(body: Buffer): Result<Form, DecodeError> {
  const fields: Fields = new Map()
  let data: Buffer | undefined
  let count = 0
  for (let start = 0; start < body.length; count++) {
    if (count === FORM_FIELDS_MAX) return INVALID_PAYLOAD
    const next = body.indexOf('&', start)
    const end = next === -1 ? body.length : next
    const field = body.subarray(start, end)
    const equals = field.indexOf('=')
    const nameEnd = equals === -1 ? field.length : equals
    const name = unescapeText(field.toString('utf8', 0, Math.min(nameEnd, NAME_LENGTH_MAX)))
    const value = field.subarray(nameEnd + 1)
    if (name === 'data') data ??= unescapeField(value)
    else if (!fields.has(name)) {
      fields.set(name, unescapeText(value.toString('utf8', 0, FIELD_LENGTH_MAX)))
    }
    start = end + 1
  }
  return toForm(data, fields)
}

function unescapeField(value: Buffer): Buffer {
  const spaced = Buffer.from(value)
  for (let at = spaced.indexOf(PLUS); at !== -1; at = spaced.indexOf(PLUS, at + 1)) {
    spaced[at] = SPACE
  }
  return unescapeBytes(spaced)
}

/** Reads a multipart form. `contentType` holds the boundary. */
export function parseMultipart(body: Buffer, contentType: string): Result<Form, DecodeError> {
  const fields: Fields = new Map()
  let data: Buffer | undefined
  const fault = readParts(body, contentType, FORM_FIELDS_MAX, ({ head, contents }) => {
    const name = nameIn(head)
    if (name === 'data') data ??= contents
    else if (!fields.has(name)) fields.set(name, contents.toString('utf8', 0, FIELD_LENGTH_MAX))
    return true
  })
  // A body without any delimiter has no data.
  if (fault !== undefined && fault !== 'not_closed') return INVALID_PAYLOAD
  return toForm(data, fields)
}

function nameIn(head: string): string {
  const name = /^content-disposition:[^\r\n]*?[;\s]name=(?:"([^"\r\n]*)"|([^\s;"]+))/im.exec(head)
  return name?.[1] ?? name?.[2] ?? ''
}

function toForm(data: Buffer | undefined, fields: Fields): Result<Form, DecodeError> {
  if (data === undefined || data.length === 0) return NO_DATA
  return ok({
    data,
    fields: {
      apiKey: fields.get('api_key'),
      token: fields.get('token'),
      sentAt: fields.get('sent_at'),
      compression: fields.get('compression'),
      projectId: fields.get('project_id'),
    },
  })
}
