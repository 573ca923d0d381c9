/** Finds the place of an address in a database file of MaxMind's format. */
import { isIP } from 'node:net'
import { type CityResponse, open, type Reader } from 'maxmind'
import { isObject, type Json } from '../../core/json.ts'
import type { Log } from '../../core/log.ts'
import { remembering } from './memo.ts'
import { isPublicAddress } from './public-address.ts'

/** Records of a geo database that are kept decoded, and addresses whose place is remembered. */
const GEO_RECORDS_KEPT_MAX = 10_000
const GEO_ADDRESSES_KEPT_MAX = 10_000
/** No address is longer. */
const GEO_ADDRESS_CHARS_MAX = 45

export type Geo = {
  /**
   * The parts of a City record: `city`, `continent`, `country`, `location`, `postal` and
   * `subdivisions`, as far as the record has them, with members in camel case and names by
   * language. Callers must not change the answer: cached records are shared. Null for an address
   * that is unknown, private or invalid. Never throws.
   */
  locate(ip: string): Json
}

const NOWHERE: Geo = { locate: () => null }

/**
 * Reads the database into memory. A file that cannot be read is logged as an error, and no address
 * has a place then.
 * @param file of GeoIP2 or GeoLite2, City or Country; undefined for none.
 */
export async function createGeo(file: string | undefined, log: Log): Promise<Geo> {
  if (file === undefined) return NOWHERE
  let reader: Reader<CityResponse>
  try {
    reader = await open<CityResponse>(file, { cache: { max: GEO_RECORDS_KEPT_MAX } })
  } catch (error) {
    log.error('geo database cannot be read: no address is located', { file, error })
    return NOWHERE
  }
  const { databaseType, buildEpoch, ipVersion } = reader.metadata
  log.info('geo database read', { type: databaseType, built: buildEpoch })
  const kept = { entriesMax: GEO_ADDRESSES_KEPT_MAX, charsMax: GEO_ADDRESS_CHARS_MAX }
  return { locate: remembering(kept, locator(reader, ipVersion === 4, log)) }
}

const MAPPED_IPV4 = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i

function locator(reader: Reader<CityResponse>, isIpv4Only: boolean, log: Log): Geo['locate'] {
  const known = new WeakMap<object, Json>()
  let isBroken = false
  return (ip) => {
    const address = MAPPED_IPV4.exec(ip)?.[1] ?? ip
    if (!isPublicAddress(address) || (isIpv4Only && isIP(address) === 6)) return null
    try {
      const record: unknown = reader.get(address)
      if (!isObject(record)) return null
      const remembered = known.get(record)
      if (remembered !== undefined) return remembered
      const place = placeOf(record)
      known.set(record, place)
      return place
    } catch (error) {
      if (!isBroken) log.warn('geo database has unreadable entries', { error })
      isBroken = true
      return null
    }
  }
}

type Entry = Readonly<Record<string, unknown>>

function placeOf(record: Entry): Json {
  const { city, continent, country, location, postal, subdivisions } = record
  const parts = Array.isArray(subdivisions) ? subdivisions.filter(isObject) : []
  return {
    ...part('city', city, NAMES),
    ...part('continent', continent, { ...NAMES, code: 'code' }),
    ...part('country', country, { ...NAMES, iso_code: 'isoCode' }),
    ...part('location', location, LOCATION),
    ...part('postal', postal, { code: 'code' }),
    ...(parts.length === 0
      ? {}
      : { subdivisions: parts.map((each) => members(each, { ...NAMES, iso_code: 'isoCode' })) }),
  }
}

const NAMES = { names: 'names' }
const LOCATION = {
  latitude: 'latitude',
  longitude: 'longitude',
  accuracy_radius: 'accuracyRadius',
  time_zone: 'timeZone',
}

/** Names in the answer, by their names in the file. */
type Renamed = Readonly<Record<string, string>>

function part(name: string, value: unknown, renamed: Renamed): { readonly [name: string]: Json } {
  return isObject(value) ? { [name]: members(value, renamed) } : {}
}

function members(value: Entry, renamed: Renamed): { readonly [name: string]: Json } {
  const found: Record<string, Json> = {}
  for (const [from, to] of Object.entries(renamed)) {
    const member = value[from]
    if (isObject(member)) found[to] = texts(member)
    else if (typeof member === 'string' || typeof member === 'number') found[to] = member
  }
  return found
}

function texts(names: Entry): Json {
  return Object.fromEntries(
    Object.entries(names).flatMap(([language, name]) =>
      typeof name === 'string' ? [[language, name] as const] : [],
    ),
  )
}
