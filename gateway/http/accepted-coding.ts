import type { HttpRequest } from './http-server.ts'

/** Whether `Accept-Encoding` names gzip without refusing it. */
export function acceptsGzip(request: HttpRequest): boolean {
  return acceptedCoding(request, ['gzip']) !== undefined
}

/** The first of `codings` that `Accept-Encoding` names without refusing it. */
export function acceptedCoding<Coding extends string>(
  request: HttpRequest,
  codings: readonly Coding[],
): Coding | undefined {
  const choices = (request.header('accept-encoding') ?? '').toLowerCase().split(',')
  const named = new Map<string, boolean>()
  for (const choice of choices) {
    const [coding = '', ...parameters] = choice.split(';').map((part) => part.trim())
    // The first entry of a coding counts.
    if (!named.has(coding)) named.set(coding, !parameters.some((each) => REFUSED.test(each)))
  }
  return codings.find((coding) => named.get(coding) === true)
}

const REFUSED = /^q=0(?:\.0*)?$/
