/**
 * Links `next` and `previous` of a page: absolute, with the other parameters sorted by name. A key
 * is left out, because answers are stored and logged.
 */
import type { Page } from '../../src/wire/page.ts'
import type { HttpRequest } from '../http/http-server.ts'
import { KEY_MEMBER } from '../keys/credentials.ts'

export type PageLinks = { readonly next: string | null; readonly previous: string | null }

export function pageLinks(
  base: string,
  query: URLSearchParams,
  page: Page & { readonly count: number; readonly pinnedBefore: string },
): PageLinks {
  const { limit, offset, count, pinnedBefore } = page
  const link = (at: number | undefined) => {
    const parameters = new URLSearchParams(query)
    parameters.delete(KEY_MEMBER)
    parameters.set('limit', `${limit}`)
    if (at === undefined) parameters.delete('offset')
    else parameters.set('offset', `${at}`)
    if (pinnedBefore !== '') parameters.set('before', pinnedBefore)
    parameters.sort()
    return `${base}?${parameters}`
  }
  return {
    next: offset + limit < count ? link(offset + limit) : null,
    // The link to the first page has no offset.
    previous: offset <= 0 ? null : link(offset > limit ? offset - limit : undefined),
  }
}

/** The request's address without its query. */
export function requestBase(request: HttpRequest, trustsForwarded: boolean): string {
  return requestSite(request, trustsForwarded) + request.path
}

/**
 * Address of this instance as the request has it: `https://sluice.example.com`. Forwarded headers count only from a trusted peer. A
 * malformed host is not repeated: it could put any text into the links.
 */
export function requestSite(request: HttpRequest, trustsForwarded: boolean): string {
  const forwarded = (name: string) =>
    trustsForwarded ? request.header(name)?.split(',', 1)[0]?.trim() : undefined
  const proto = forwarded('x-forwarded-proto')?.toLowerCase()
  const scheme = proto === 'https' ? 'https' : 'http'
  const hosts = [forwarded('x-forwarded-host'), request.header('host')]
  const host = hosts.find((each) => each !== undefined && isHost(each)) ?? 'localhost'
  return `${scheme}://${host}`
}

function isHost(text: string): boolean {
  return text.length <= 255 && /^(?:[\w.-]+|\[[\da-f:.]+\])(?::\d{1,5})?$/i.test(text)
}
