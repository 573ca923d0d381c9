import type { HttpRequest } from './http-server.ts'

/** Whether `Accept-Encoding` names gzip without refusing it. */
export function acceptsGzip(request: HttpRequest): boolean {
  for (const choice of (request.header('accept-encoding') ?? '').toLowerCase().split(',')) {
    const [coding = '', ...parameters] = choice.split(';').map((part) => part.trim())
    if (coding === 'gzip') return !parameters.some((each) => /^q=0(?:\.0*)?$/.test(each))
  }
  return false
}
