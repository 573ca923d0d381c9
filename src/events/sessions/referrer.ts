/** Referrers and hosts as sites, by which they are grouped. */
import { domainToUnicode } from 'node:url'
import { parse } from 'tldts'
import { kindOfHost, type SiteKind } from './sites.ts'

export type Site = {
  /** Registrable domain in Unicode, without `www.`; an address or a host without a suffix whole. */
  readonly domain: string
  readonly kind: SiteKind | undefined
}

/** Value of `$referring_domain` and `$referrer` of clients for a visit without a referrer. */
export const DIRECT = '$direct'

const SITES: readonly string[] = ['http:', 'https:']
const APPS: readonly string[] = ['android-app:', 'ios-app:']
/** A scheme; a port follows a host instead. */
const SCHEME = /^[a-z][a-z0-9+.-]*:(?!\d)/i

/**
 * Site of a domain, a host with its port, or an address such as `https://www.example.com/a`.
 * Undefined for all else, such as `data:…`, `javascript:…` and words.
 */
export function siteOf(text: string): Site | undefined {
  const address = addressIn(text.trim())
  if (address === undefined) return undefined
  const host = address.hostname
    .toLowerCase()
    .replace(/\.$/, '')
    .replace(/^www\./, '')
  if (host === '') return undefined
  // An app has the name of its package, which is no domain.
  if (APPS.includes(address.protocol)) return { domain: host, kind: kindOfHost(host, host, '') }
  const known = parse(host, { allowPrivateDomains: true, validateHostname: false })
  if (!known.isIp && !host.includes('.') && host !== 'localhost') return undefined
  const site = known.domain ?? host
  const kind = kindOfHost(host, site, known.domainWithoutSuffix ?? '')
  return { domain: domainToUnicode(site) || site, kind }
}

function addressIn(text: string): URL | undefined {
  const address = SCHEME.test(text) ? text : `http://${text.replace(/^\/\//, '')}`
  if (!URL.canParse(address)) return undefined
  const url = new URL(address)
  return SITES.includes(url.protocol) || APPS.includes(url.protocol) ? url : undefined
}
