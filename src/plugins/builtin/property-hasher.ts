/** The built-in plugin that hashes properties. */
import { createHmac, createSecretKey } from 'node:crypto'
import type { Json } from '../../core/json.ts'
import { exactDigits, exactJson } from '../../core/json-text/exact-numbers.ts'
import { remembering } from '../host/memo.ts'
import type { PluginEvent } from '../ports.ts'
import { defineBuiltin } from './define.ts'
import { type Properties, propertyPath, propertySets, visitPath } from './properties.ts'

/** Hashes that one config of the property hasher remembers; characters of a text to hash. */
const BUILTIN_HASHES_KEPT_MAX = 1_000
const BUILTIN_HASHED_CHARS_MAX = 200

export const propertyHasher = defineBuiltin({
  name: 'property-hasher',
  title: 'Property hasher',
  description:
    'Replaces values of named properties by their SHA-256 with a secret salt: equal values stay equal.',
  schema: [
    {
      key: 'salt',
      name: 'Salt',
      type: 'string',
      required: true,
      secret: true,
      hint: 'Any text that nobody can guess. With another one, the same values become other ones.',
    },
    {
      key: 'properties',
      name: 'Properties to hash',
      type: 'string',
      hint: 'Separated by commas. A dot leads into an object: "address.street".',
    },
    {
      key: 'hash_distinct_id',
      name: 'Hash the distinct id too',
      type: 'choice',
      choices: ['no', 'yes'],
      default: 'no',
      hint: 'Also where an event names another one: identify, alias.',
    },
  ],
  methods: ['processEvent'],
  create(settings) {
    const hash = hasher(settings.text('salt'))
    const paths = settings.list('properties').map(propertyPath)
    const hashesIds = settings.isOn('hash_distinct_id')
    return {
      processEvent(event) {
        const changes = hashesIds ? idChanges(hash, event) : []
        const sets = propertySets(event)
        for (const path of paths) {
          visitPath(sets, path, (holder, name) => {
            const value = holder[name] ?? null
            if (value !== null) changes.push({ holder, name, hashed: hash(value) })
          })
          if (path.name === '$ip') event.ip = null
        }
        // Changed last: a property that two paths name is hashed once, by its original value.
        for (const { holder, name, hashed } of changes) holder[name] = hashed
        if (hashesIds) event.distinct_id = hash(event.distinct_id)
        return event
      },
    }
  },
})

type Change = { readonly holder: Properties; readonly name: string; readonly hashed: string }

/** Properties that repeat the distinct id, or name the id with which it is merged. */
const ID_PROPERTIES = ['distinct_id', '$anon_distinct_id', '$user_id']
const MERGES = new Set(['$create_alias', '$merge_dangerously'])

function idChanges(hash: Hash, { event, properties }: PluginEvent): Change[] {
  const names = MERGES.has(event) ? [...ID_PROPERTIES, 'alias'] : ID_PROPERTIES
  return names.flatMap((name) => {
    const value = Object.hasOwn(properties, name) ? properties[name] : undefined
    if (typeof value !== 'string' && typeof value !== 'number') return []
    return [{ holder: properties, name, hashed: hash(value) }]
  })
}

/** The hash in hexadecimal: of the text itself, or of the JSON of any other value. */
type Hash = (value: Json) => string

function hasher(salt: string): Hash {
  const key = createSecretKey(salt, 'utf8')
  const kept = { entriesMax: BUILTIN_HASHES_KEPT_MAX, charsMax: BUILTIN_HASHED_CHARS_MAX }
  const hashText = remembering(kept, (text) => createHmac('sha256', key).update(text).digest('hex'))
  return (value) =>
    hashText(typeof value === 'string' ? (exactDigits(value) ?? value) : exactJson(value))
}
