/** The built-in plugin that adds the place of an address. */
import { isObject, type Json } from '../../core/json.ts'
import type { PluginEvent, PluginHost } from '../ports.ts'
import { defineBuiltin } from './define.ts'
import type { Properties } from './properties.ts'

export const geoip = defineBuiltin({
  name: 'geoip',
  title: 'GeoIP',
  description:
    'Adds country, city and more by the address of an event, from a database on the server.',
  schema: [
    {
      key: 'person_properties',
      name: 'Also of the person',
      type: 'choice',
      choices: ['yes', 'no'],
      default: 'yes',
      hint: 'Sets $geoip_... of the person, and $initial_geoip_... once.',
    },
  ],
  methods: ['processEvent'],
  async create(settings, host) {
    const setsPerson = settings.isOn('person_properties')
    await warnWithoutDatabase(host)
    return {
      async processEvent(event) {
        const { properties } = event
        const ip = properties['$ip'] ?? event.ip
        if (typeof ip !== 'string' || isTrue(properties['$geoip_disable'])) return event
        const place = geoProperties(await host.locate(ip))
        if (place.length === 0) return event
        for (const { name, value } of place) properties[name] = value
        if (setsPerson && properties['$process_person_profile'] !== false) setPerson(event, place)
        return event
      },
    }
  },
})

type Place = readonly {
  readonly name: string
  readonly initialName: string
  readonly value: string | number
}[]

/** `locate` answers the same object for the same place as long as it is cached. */
const known = new WeakMap<object, Place>()

/** No properties for null. */
function geoProperties(located: Json): Place {
  if (!isObject(located)) return []
  const remembered = known.get(located)
  if (remembered !== undefined) return remembered
  const { city, continent, country, location, postal, subdivisions } = located
  const found: (readonly [string, Json | undefined])[] = [
    ['city_name', englishName(city)],
    ['country_name', englishName(country)],
    ['country_code', member(country, 'isoCode')],
    ['continent_name', englishName(continent)],
    ['continent_code', member(continent, 'code')],
    ['postal_code', member(postal, 'code')],
    ['latitude', member(location, 'latitude')],
    ['longitude', member(location, 'longitude')],
    ['accuracy_radius', member(location, 'accuracyRadius')],
    ['time_zone', member(location, 'timeZone')],
  ]
  const parts: readonly Json[] = Array.isArray(subdivisions) ? subdivisions : []
  for (const [at, part] of parts.entries()) {
    found.push([`subdivision_${at + 1}_code`, member(part, 'isoCode')])
    found.push([`subdivision_${at + 1}_name`, englishName(part)])
  }
  const place = found.flatMap(([name, value]) => {
    if (typeof value !== 'string' && typeof value !== 'number') return []
    return [{ name: `$geoip_${name}`, initialName: `$initial_geoip_${name}`, value }]
  })
  known.set(located, place)
  return place
}

function setPerson(event: PluginEvent, place: Place): void {
  for (const set of personSets(event, '$set')) {
    for (const { name, value } of place) set[name] = value
  }
  for (const set of personSets(event, '$set_once')) {
    for (const { initialName, value } of place) set[initialName] = value
  }
}

/**
 * The sets of the properties, which are made when missing, and those of the event if it has any.
 */
function personSets(event: PluginEvent, key: '$set' | '$set_once'): readonly Properties[] {
  const own = event.properties[key]
  const set: Properties = isObject(own) ? own : {}
  event.properties[key] = set
  const beside = event[key]
  return isObject(beside) && beside !== set ? [set, beside] : [set]
}

function isTrue(value: Json | undefined): boolean {
  return value === true || value === 'true'
}

function member(value: Json | undefined, key: string): Json | undefined {
  return isObject(value) ? value[key] : undefined
}

function englishName(value: Json | undefined): Json | undefined {
  return member(member(value, 'names'), 'en')
}

/** Addresses that every worldwide database has. */
const KNOWN_ADDRESSES = ['8.8.8.8', '1.1.1.1', '9.9.9.9']

/** Warns when there is no database. Nothing else would show why events stay unchanged. */
async function warnWithoutDatabase(host: PluginHost): Promise<void> {
  for (const ip of KNOWN_ADDRESSES) {
    if ((await host.locate(ip)) !== null) return
  }
  host.log('WARN', 'No address has a place: the server has no geo database (GEOIP_FILE).')
}
