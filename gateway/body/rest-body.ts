/** Reads a body in one of the interface's three media types, or says why it is refused. */

import type { ErrorDetail } from '../../src/core/code.ts'
import { isObject } from '../../src/core/json.ts'
import { parseExact } from '../../src/core/json-text/exact-numbers.ts'
import { BODY_BYTES_INLINE_MAX, REST_FORM_FIELDS_MAX } from '../../src/core/limits/limits.ts'
import { err, ok, type Result } from '../../src/core/result.ts'
import { parseErrorDetail, unsupportedMediaTypeDetail } from '../../src/wire/details.ts'
import type { BodyInput, Form, FormFile } from '../../src/wire/validation/validate.ts'
import type { HttpRequest } from '../http/http-server.ts'
import { exceedsStructure } from './json-structure.ts'
import { type MultipartFault, type RawPart, readParts } from './multipart-parts.ts'

/** Reads `multipart/form-data` within bounds. Parts are views of the body, not copies. */
const FAULTS: Readonly<Record<MultipartFault, string>> = {
  no_boundary: 'Invalid boundary in multipart',
  too_many: 'Too many parts',
  incomplete: 'A part is not complete',
  not_closed: 'The closing boundary is missing',
}

/** @param contentType names the boundary. The error is a text for the client. */
function parseMultipart(body: Buffer, contentType: string): Result<Form, string> {
  const fields = new Map<string, string[]>()
  const files = new Map<string, FormFile>()
  const fault = readParts(body, contentType, REST_FORM_FIELDS_MAX, (raw) => {
    const part = readPart(raw)
    if (part !== undefined) addPart(part, fields, files)
    return part !== undefined
  })
  return fault === undefined ? ok({ fields, files }) : err(FAULTS[fault])
}

type Part = {
  readonly name: string
  readonly fileName: string | undefined
  readonly contentType: string
  readonly contents: Buffer
}

function addPart(part: Part, fields: Map<string, string[]>, files: Map<string, FormFile>): void {
  const { name, fileName, contentType, contents } = part
  if (fileName !== undefined) {
    files.set(name, { name: fileName, contentType, contents })
    return
  }
  const text = contents.toString('utf8')
  const known = fields.get(name)
  if (known === undefined) fields.set(name, [text])
  else known.push(text)
}

/** `undefined` when the part has no name. */
function readPart({ head, contents }: RawPart): Part | undefined {
  const disposition = /^content-disposition:([^\r\n]*)$/im.exec(head)?.[1] ?? ''
  const name = parameterOf(disposition, 'name')
  if (name === undefined) return undefined
  const contentType = /^content-type:\s*([^\r\n]{1,200})$/im.exec(head)?.[1]?.trim()
  return {
    name,
    fileName: parameterOf(disposition, 'filename'),
    contentType: contentType ?? 'application/octet-stream',
    contents,
  }
}

function parameterOf(disposition: string, name: 'name' | 'filename'): string | undefined {
  const pattern = name === 'name' ? NAME : FILE_NAME
  const match = pattern.exec(disposition)
  return match?.[1]?.replaceAll('%22', '"') ?? match?.[2]
}

const NAME = /;\s*name=(?:"([^"]*)"|([^\s;"]+))/i
const FILE_NAME = /;\s*filename=(?:"([^"]*)"|([^\s;"]+))/i

/** Values in the JSON of a management body: each costs gateway and worker some microseconds. */
const REST_VALUES_MAX = 20_000

/** Members of the object that are read; `undefined` when the body is one field's value. */
export type WantedMembers = readonly string[] | undefined

export type ReadBody = Result<BodyInput, ErrorDetail>

/** Reads a body in a thread. Rejects when no thread can take it now. */
export type ReadLargeBody = (
  body: Buffer,
  meta: { readonly contentType: string | undefined; readonly wanted: WantedMembers },
  request: HttpRequest,
) => Promise<ReadBody>

const EMPTY: BodyInput = { kind: 'json', body: {} }

/** An empty body is an empty object for every media type. */
export function readRestBody(
  body: Buffer,
  contentType: string | undefined,
  wanted: WantedMembers,
): ReadBody {
  if (body.length === 0) return ok(EMPTY)
  switch (essenceOf(contentType)) {
    case 'application/json':
      return readJson(body, wanted)
    case 'application/x-www-form-urlencoded':
      return readUrlEncoded(body)
    case MULTIPART: {
      const form = parseMultipart(body, contentType ?? '')
      if (!form.ok) return err(parseErrorDetail('Multipart form', form.error))
      return ok({ kind: 'form', form: form.value })
    }
    default:
      return err(unsupportedMediaTypeDetail(contentType ?? ''))
  }
}

/** Multipart bodies are read on the event loop: finding the parts is fast and copies nothing. */
export function isSlowToRead(body: Buffer, contentType: string | undefined): boolean {
  return body.length > BODY_BYTES_INLINE_MAX && essenceOf(contentType) !== MULTIPART
}

const MULTIPART = 'multipart/form-data'

function essenceOf(contentType: string | undefined): string {
  return (contentType ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? ''
}

function readJson(bytes: Buffer, wanted: WantedMembers): ReadBody {
  let text: string
  try {
    text = UTF_8.decode(bytes)
  } catch {
    return err(parseErrorDetail('JSON', 'the body is not UTF-8'))
  }
  if (exceedsStructure(text)) {
    return err(parseErrorDetail('JSON', 'the body nests too deep or holds too many parts'))
  }
  let json: unknown
  try {
    json = parseExact(text)
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
    return err(parseErrorDetail('JSON', 'the body is not valid JSON'))
  }
  const body = picked(json, wanted)
  if (holdsMoreThan(body, REST_VALUES_MAX)) {
    return err(parseErrorDetail('JSON', `the body holds more than ${REST_VALUES_MAX} values`))
  }
  return ok({ kind: 'json', body })
}

/** Drops members that no field reads, so that they cost nothing further. */
function picked(json: unknown, wanted: WantedMembers): unknown {
  if (wanted === undefined || !isObject(json)) return json
  return Object.fromEntries(
    wanted.filter((name) => Object.hasOwn(json, name)).map((name) => [name, json[name]]),
  )
}

function holdsMoreThan(json: unknown, max: number): boolean {
  let left = max
  const rest: unknown[] = [json]
  for (let value = rest.pop(); value !== undefined; value = rest.pop()) {
    left -= 1
    if (left < 0) return true
    if (typeof value !== 'object' || value === null) continue
    const members = Array.isArray(value) ? value : Object.values(value)
    if (members.length > left) return true
    rest.push(...members)
  }
  return false
}

const UTF_8 = new TextDecoder('utf-8', { fatal: true })

function readUrlEncoded(body: Buffer): ReadBody {
  const text = body.toString('utf8')
  if (countOf(text, '&') >= REST_FORM_FIELDS_MAX) {
    return err(parseErrorDetail('Form', 'too many fields'))
  }
  const fields = new Map<string, string[]>()
  for (const [name, value] of new URLSearchParams(text)) {
    const known = fields.get(name)
    if (known === undefined) fields.set(name, [value])
    else known.push(value)
  }
  const form: Form = { fields, files: new Map() }
  return ok({ kind: 'form', form })
}

function countOf(text: string, part: string): number {
  let count = 0
  for (let at = text.indexOf(part); at !== -1; at = text.indexOf(part, at + 1)) count += 1
  return count
}
