/** Splits `multipart/form-data` into its parts, within bounds. Parts are views of the body. */

const PART_HEADER_BYTES_MAX = 8_192
const CRLF_LENGTH = 2

export type RawPart = { readonly head: string; readonly contents: Buffer }

export type MultipartFault = 'no_boundary' | 'too_many' | 'incomplete' | 'not_closed'

/**
 * @param contentType names the boundary.
 * @param onPart takes a part; false when it is none that can be read.
 * @returns what is wrong with the body, or undefined.
 */
export function readParts(
  body: Buffer,
  contentType: string,
  partsMax: number,
  onPart: (part: RawPart) => boolean,
): MultipartFault | undefined {
  const match = /;\s*boundary=(?:"([^"]{1,70})"|([^\s;"]{1,70}))/i.exec(contentType)
  const boundary = match?.[1] ?? match?.[2]
  if (boundary === undefined) return 'no_boundary'
  const delimiter = `--${boundary}`
  let start = startOf(body, delimiter)
  for (let count = 0; start !== -1; count += 1) {
    const partStart = start + delimiter.length
    if (body.toString('latin1', partStart, partStart + 2) === '--') return undefined
    if (count === partsMax) return 'too_many'
    const end = body.indexOf(`\r\n${delimiter}`, partStart)
    const part = end === -1 ? undefined : rawPart(body.subarray(partStart, end))
    if (part === undefined || !onPart(part)) return 'incomplete'
    start = end + CRLF_LENGTH
  }
  return 'not_closed'
}

/** Finds a delimiter at the start of a line; in other places the same bytes are content. */
function startOf(body: Buffer, delimiter: string): number {
  if (body.indexOf(delimiter) === 0) return 0
  const at = body.indexOf(`\r\n${delimiter}`)
  return at === -1 ? -1 : at + CRLF_LENGTH
}

/** Undefined when the headers do not end. */
function rawPart(part: Buffer): RawPart | undefined {
  const headEnd = part.indexOf('\r\n\r\n')
  if (headEnd === -1 || headEnd > PART_HEADER_BYTES_MAX) return undefined
  return { head: part.toString('utf8', 0, headEnd), contents: part.subarray(headEnd + 4) }
}
