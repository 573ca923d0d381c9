/** `multipart/form-data` within bounds. Parts are views of the body: nothing is copied. */
import { REST_FORM_FIELDS_MAX } from '../../src/core/limits/limits.ts'
import { err, ok, type Result } from '../../src/core/result.ts'
import type { Form, FormFile } from '../../src/wire/validation/validate.ts'

const PART_HEADER_BYTES_MAX = 8_192
const CRLF_LENGTH = 2

/** @param contentType names the boundary. The error says what is wrong, in words to show. */
export function parseMultipart(body: Buffer, contentType: string): Result<Form, string> {
  const match = /;\s*boundary=(?:"([^"]{1,70})"|([^\s;"]{1,70}))/i.exec(contentType)
  const boundary = match?.[1] ?? match?.[2]
  if (boundary === undefined) return err('Invalid boundary in multipart')
  const delimiter = `--${boundary}`
  const fields = new Map<string, string[]>()
  const files = new Map<string, FormFile>()
  let start = startOf(body, delimiter)
  for (let count = 0; start !== -1; count += 1) {
    const partStart = start + delimiter.length
    if (body.toString('latin1', partStart, partStart + 2) === '--') return ok({ fields, files })
    if (count === REST_FORM_FIELDS_MAX) return err('Too many parts')
    const end = body.indexOf(`\r\n${delimiter}`, partStart)
    const part = end === -1 ? undefined : readPart(body.subarray(partStart, end))
    if (part === undefined) return err('A part is not complete')
    addPart(part, fields, files)
    start = end + CRLF_LENGTH
  }
  return err('The closing boundary is missing')
}

type Part = {
  readonly name: string
  readonly fileName: string | undefined
  readonly contentType: string
  readonly contents: Buffer
}

/** A delimiter opens a line: the same bytes elsewhere before it are a preamble. */
function startOf(body: Buffer, delimiter: string): number {
  if (body.indexOf(delimiter) === 0) return 0
  const at = body.indexOf(`\r\n${delimiter}`)
  return at === -1 ? -1 : at + CRLF_LENGTH
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

/** Undefined when it has no end of its headers or no name. */
function readPart(part: Buffer): Part | undefined {
  const headEnd = part.indexOf('\r\n\r\n')
  if (headEnd === -1 || headEnd > PART_HEADER_BYTES_MAX) return undefined
  const head = part.toString('utf8', 0, headEnd)
  const disposition = /^content-disposition:([^\r\n]*)$/im.exec(head)?.[1] ?? ''
  const name = parameterOf(disposition, 'name')
  if (name === undefined) return undefined
  const contentType = /^content-type:\s*([^\r\n]{1,200})$/im.exec(head)?.[1]?.trim()
  return {
    name,
    fileName: parameterOf(disposition, 'filename'),
    contentType: contentType ?? 'application/octet-stream',
    contents: part.subarray(headEnd + 4),
  }
}

function parameterOf(disposition: string, name: 'name' | 'filename'): string | undefined {
  const pattern = name === 'name' ? NAME : FILE_NAME
  const match = pattern.exec(disposition)
  return match?.[1]?.replaceAll('%22', '"') ?? match?.[2]
}

const NAME = /;\s*name=(?:"([^"]*)"|([^\s;"]+))/i
const FILE_NAME = /;\s*filename=(?:"([^"]*)"|([^\s;"]+))/i
