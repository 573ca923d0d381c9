/** Reads `multipart/form-data` within bounds. Parts are views of the body, not copies. */

import { REST_FORM_FIELDS_MAX } from '../../src/core/limits/limits.ts'
import { err, ok, type Result } from '../../src/core/result.ts'
import type { Form, FormFile } from '../../src/wire/validation/validate.ts'
import { type MultipartFault, type RawPart, readParts } from './multipart-parts.ts'

const FAULTS: Readonly<Record<MultipartFault, string>> = {
  no_boundary: 'Invalid boundary in multipart',
  too_many: 'Too many parts',
  incomplete: 'A part is not complete',
  not_closed: 'The closing boundary is missing',
}

/** @param contentType names the boundary. The error is a text for the client. */
export function parseMultipart(body: Buffer, contentType: string): Result<Form, string> {
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
