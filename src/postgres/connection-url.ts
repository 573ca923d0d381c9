/** Reads `postgres://` URLs as libpq's tools do. */

import type { Endpoint, TlsMode, TlsSettings } from './dial.ts'

/** Parsed `postgres://` URL, in the driver's terms. */
export type ParsedUrl = {
  /** Addresses of the server, at least one; tried in turn. */
  readonly endpoints: readonly Endpoint[]
  readonly user: string
  readonly database: string
  readonly password: string
  readonly tls: TlsSettings
  /** Other parameters: settings of the session, `application_name` among them. */
  readonly session: Readonly<Record<string, string>>
}

const POSTGRES_PORT = 5432
const DEFAULT_USER = 'postgres'

const TLS_MODES: Readonly<Record<string, TlsMode>> = {
  disable: 'disable',
  false: 'disable',
  allow: 'prefer',
  prefer: 'prefer',
  require: 'require',
  true: 'require',
  'verify-ca': 'verify-ca',
  'verify-full': 'verify-full',
}

/**
 * Reads a URL as libpq does: several hosts with commas, a Unix socket's folder as `host` parameter
 * or percent-encoded host, user and password in either place.
 * @throws {TypeError} when it is not a URL, or has an unknown `sslmode`.
 */
export function parseConnectionUrl(text: string): ParsedUrl {
  const [, credentials = '', hosts = ''] = /^\w+:\/\/((?:[^/?#]*@)?)([^/?#]*)/.exec(text) ?? []
  // `URL` accepts one host: the list is parsed apart, and replaced by a placeholder.
  const url = new URL(hosts === '' ? text : text.replace(credentials + hosts, `${credentials}host`))
  const parameters = new Map(url.searchParams)
  const take = (name: string): string | undefined => {
    const value = parameters.get(name)
    parameters.delete(name)
    return value
  }
  const user = take('user') ?? (decodeURIComponent(url.username) || DEFAULT_USER)
  const password = take('password') ?? decodeURIComponent(url.password)
  const mode = take('sslmode') ?? take('ssl') ?? 'disable'
  const tlsMode = TLS_MODES[mode]
  if (tlsMode === undefined) throw new TypeError(`unknown sslmode ${mode}`)
  const rootCertPath = take('sslrootcert')
  const certPath = take('sslcert')
  const keyPath = take('sslkey')
  const port = Number(take('port') ?? POSTGRES_PORT)
  const named = take('host') ?? (hosts === '' ? 'localhost' : hosts)
  return {
    endpoints: named.split(',').map((item) => endpointOf(item, port)),
    user,
    password,
    database: decodeURIComponent(url.pathname.slice(1)) || user,
    tls: { mode: verifiedMode(tlsMode, rootCertPath), rootCertPath, certPath, keyPath },
    session: Object.fromEntries(parameters),
  }
}

/** As in libpq: a given root certificate is checked. */
function verifiedMode(mode: TlsMode, rootCertPath: string | undefined): TlsMode {
  return mode === 'require' && rootCertPath !== undefined ? 'verify-ca' : mode
}

function endpointOf(text: string, defaultPort: number): Endpoint {
  const [, bracketed, name = '', portText] =
    /^(?:\[([^\]]*)\]|([^:[\]]*))(?::(\d+))?$/.exec(text) ?? []
  const host = decodeURIComponent(bracketed ?? name)
  const port = portText === undefined ? defaultPort : Number(portText)
  const valid = host !== '' && Number.isInteger(port) && port > 0 && port < 65_536
  if (!valid) throw new TypeError('a host of the database URL cannot be read')
  return host.startsWith('/') ? unixEndpoint(host, port) : { kind: 'tcp', host, port }
}

export function unixEndpoint(folder: string, port: number): Endpoint {
  return { kind: 'unix', path: `${folder}/.s.PGSQL.${port}` }
}
