/** A body in any of the three media types of the interface, or why it cannot be read. */
import type { ErrorDetail } from '../../src/core/code.ts'
import { parseErrorDetail, unsupportedMediaTypeDetail } from '../../src/core/details.ts'
import { REST_FORM_FIELDS_MAX } from '../../src/core/limits.ts'
import { err, ok, type Result } from '../../src/core/result.ts'
import type { BodyInput, Form } from '../../src/core/validation/validate.ts'
import { exceedsStructure } from '../body/json-text.ts'
import { parseMultipart } from './multipart.ts'

/**
 * Parses JSON text. Rejects with a `SyntaxError` for what is none. The default blocks the event
 * loop for as long as the text takes; a gateway hands in one that leaves large ones to a thread.
 */
export type ParseJson = (text: string) => unknown

const EMPTY: BodyInput = { kind: 'json', body: {} }

/** Nothing at all is an empty object, whatever the media type says. */
export async function readRestBody(
  body: Buffer,
  contentType: string | undefined,
  parseJson: ParseJson,
): Promise<Result<BodyInput, ErrorDetail>> {
  if (body.length === 0) return ok(EMPTY)
  const essence = (contentType ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? ''
  switch (essence) {
    case 'application/json':
      return readJson(body, parseJson)
    case 'application/x-www-form-urlencoded':
      return readUrlEncoded(body)
    case 'multipart/form-data': {
      const form = parseMultipart(body, contentType ?? '')
      if (!form.ok) return err(parseErrorDetail('Multipart form', form.error))
      return ok({ kind: 'form', form: form.value })
    }
    default:
      return err(unsupportedMediaTypeDetail(contentType ?? ''))
  }
}

async function readJson(
  bytes: Buffer,
  parseJson: ParseJson,
): Promise<Result<BodyInput, ErrorDetail>> {
  let text: string
  try {
    text = UTF_8.decode(bytes)
  } catch {
    return err(parseErrorDetail('JSON', 'the body is not UTF-8'))
  }
  if (exceedsStructure(text)) {
    return err(parseErrorDetail('JSON', 'the body nests too deep or holds too many parts'))
  }
  try {
    return ok({ kind: 'json', body: await parseJson(text) })
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
    return err(parseErrorDetail('JSON', 'the body is not valid JSON'))
  }
}

const UTF_8 = new TextDecoder('utf-8', { fatal: true })

function readUrlEncoded(body: Buffer): Result<BodyInput, ErrorDetail> {
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
