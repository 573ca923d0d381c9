/** Parsers of single settings. An error continues the sentence that the setting's name begins. */
import { isIP } from 'node:net'
import { addressRanges } from '../address-ranges.ts'
import { err, ok, type Result } from '../result.ts'
import { parseKeys } from '../secrets/key-ring.ts'

/** Characters of a project token. */
const TOKEN_LENGTH_MAX = 64

export type HostPort = { readonly host: string; readonly port: number }

type Parsed<T> = Result<T, string>

const HOST_NAME = /^(?!-)[A-Za-z0-9_-]{1,63}(\.[A-Za-z0-9_-]{1,63})*\.?$/
const PORT_MAX = 65_535

function integer(min: number, max: number): (text: string) => Parsed<number> {
  return (text) => {
    const value = /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN
    const fits = value >= min && value <= max
    return fits
      ? ok(value)
      : err(`must be a whole number from ${min} to ${max}, not ${quote(text)}`)
  }
}

function host(text: string): Parsed<string> {
  const bare = text.replace(/^\[(.*)\]$/, '$1')
  if (isIP(bare) !== 0) return ok(bare)
  const isName = HOST_NAME.test(bare) && bare.length <= 253 && !/^[\d.]+$/.test(bare)
  return isName ? ok(bare) : err(`must be a host name or an address, not ${quote(text)}`)
}

/** `name:port`, `1.2.3.4:port` or `[::1]:port`. */
function address(text: string): Parsed<HostPort> {
  const [, name = '', portText = ''] = /^(\[[^\]]*\]|[^:]*):(\d+)$/.exec(text) ?? []
  const parsedHost = host(name)
  const parsedPort = integer(1, PORT_MAX)(portText)
  if (parsedHost.ok && parsedPort.ok) return ok({ host: parsedHost.value, port: parsedPort.value })
  return err(`must be host:port, not ${quote(text)}`)
}

/** Never quotes the text: it holds a password. */
function url(...schemes: readonly string[]): (text: string) => Parsed<string | undefined> {
  return (text) => {
    const scheme = /^([a-z]+):\/\//.exec(text)?.[1]
    const wanted = schemes.map((name) => `${name}://`).join(' or ')
    if (scheme === undefined || !schemes.includes(scheme)) return err(`must start with ${wanted}`)
    // Several hosts with commas are the driver's to read; URL takes them as one strange name.
    return URL.canParse(text) || text.includes(',') ? ok(text) : err('is not a URL')
  }
}

function urls(...schemes: readonly string[]): (text: string) => Parsed<string | undefined> {
  return (text) => {
    for (const item of list(text)) {
      const parsed = url(...schemes)(item)
      if (!parsed.ok) return parsed
    }
    return ok(list(text).join(','))
  }
}

/** Never quotes the text: it holds a password. */
function columnsUrl(text: string): Parsed<string | undefined> {
  const parsed = url('http', 'https')(text)
  if (!parsed.ok) return parsed
  if (!URL.canParse(text)) return err('is not a URL')
  const { pathname, search, hash } = new URL(text)
  if (search !== '' || hash !== '') return err('must end with the name of the database')
  const isName = /^\/?$|^\/[A-Za-z_]\w{0,63}$/.test(pathname)
  return isName ? ok(text) : err('must end with a name of a database: letters, digits and _')
}

function range(text: string): Parsed<string> {
  if (addressRanges([text]).ok) return ok(text)
  return err(`must hold addresses or CIDR ranges, not ${quote(text)}`)
}

/**
 * Answers it as browsers write it in `Origin`. An opaque one (`null`) is that of any page which
 * hides its own.
 */
function origin(text: string): Parsed<string> {
  if (text === '*') return ok(text)
  const wrong = err(`must hold origins such as https://app.example.com, or *, not ${quote(text)}`)
  const [, scheme, place] = /^([a-z][a-z0-9+.-]*):\/\/([a-z0-9._~:[\]-]+)\/?$/i.exec(text) ?? []
  if (scheme === undefined || place === undefined || !URL.canParse(text)) return wrong
  const { origin: known } = new URL(text)
  return ok(known === 'null' ? `${scheme}://${place}`.toLowerCase() : known)
}

/** Becomes part of NATS subjects and bucket names, where dots and spaces have a meaning. */
function name(text: string): Parsed<string> {
  if (/^[A-Za-z0-9_-]{1,32}$/.test(text)) return ok(text)
  return err('must be 1 to 32 letters, digits, - or _')
}

function email(text: string): Parsed<string | undefined> {
  const isAddress = text.length <= 254 && /^[^\s@]+@[^\s@]+$/.test(text)
  return isAddress ? ok(text) : err('must be an e-mail address')
}

/** Never quotes the text: it is a secret. */
function keys(text: string): Parsed<string | undefined> {
  const parsed = parseKeys(text)
  return parsed.ok ? ok(text) : parsed
}

/** Never quotes the text: it is a secret. */
function token(min: number, max: number): (text: string) => Parsed<string | undefined> {
  return (text) => {
    const fits = text.length >= min && text.length <= max && /^[\x21-\x7e]+$/.test(text)
    return fits ? ok(text) : err(`must be ${min} to ${max} ASCII characters without spaces`)
  }
}

/** Capture takes a `phx_` key for a personal one and refuses it. */
function projectKey(text: string): Parsed<string | undefined> {
  if (text.startsWith('phx_')) return err('must not start with phx_, which marks personal keys')
  return token(10, TOKEN_LENGTH_MAX)(text)
}

function oneOf<const T extends string>(...words: readonly T[]): (text: string) => Parsed<T> {
  return (text) => {
    const found = words.find((word) => word === text.toLowerCase())
    return found === undefined ? err(`must be ${words.join(', ')}, not ${quote(text)}`) : ok(found)
  }
}

function listOf<T>(parse: (text: string) => Parsed<T>): (text: string) => Parsed<readonly T[]> {
  return (text) => {
    const values: T[] = []
    for (const item of list(text)) {
      const parsed = parse(item)
      if (!parsed.ok) return parsed
      values.push(parsed.value)
    }
    return ok(values)
  }
}

function list(text: string): string[] {
  const items = text.split(',').map((item) => item.trim())
  return items.filter((item) => item !== '')
}

function quote(text: string): string {
  return JSON.stringify(text.length > 60 ? `${text.slice(0, 60)}…` : text)
}

export const parsers = {
  keys,
  host,
  port: integer(0, PORT_MAX),
  integer,
  address,
  ranges: listOf(range),
  origins: listOf(origin),
  projects: listOf(integer(1, 2_147_483_647)),
  url,
  columnsUrl,
  urls,
  name,
  email,
  token,
  projectKey,
  oneOf,
}
