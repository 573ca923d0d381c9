/** The built-in plugin that keeps a share of the distinct ids. */
import { createHash } from 'node:crypto'
import { defineBuiltin } from './define.ts'

/** Without these events persons and groups would be wrong. */
const PERSON_EVENTS: ReadonlySet<string> = new Set([
  '$identify',
  '$create_alias',
  '$merge_dangerously',
  '$set',
  '$groupidentify',
])

export const eventSampler = defineBuiltin({
  name: 'event-sampler',
  title: 'Event sampler',
  description: 'Keeps the events of a share of the distinct ids, always of the same ones.',
  schema: [
    {
      key: 'percent',
      name: 'Percent kept',
      type: 'string',
      required: true,
      hint: 'From 0 to 100. A higher percentage keeps all that a lower one keeps.',
    },
    {
      key: 'events',
      name: 'Events',
      type: 'string',
      hint: 'Names, separated by commas: only these are sampled. All when empty.',
    },
    {
      key: 'sample_person_events',
      name: 'Sample events that change persons',
      type: 'choice',
      choices: ['no', 'yes'],
      default: 'no',
      hint: `With "no", ${[...PERSON_EVENTS].join(', ')} are always kept.`,
    },
  ],
  methods: ['processEvent'],
  create(settings) {
    const share = settings.number('percent', { min: 0, max: 100 }) / 100
    const names = new Set(settings.list('events'))
    const samplesPersons = settings.isOn('sample_person_events')
    return {
      processEvent(event) {
        if (names.size > 0 && !names.has(event.event)) return event
        if (!samplesPersons && PERSON_EVENTS.has(event.event)) return event
        return placeOf(event.distinct_id) < share ? event : null
      },
    }
  },
})

/**
 * A number in [0, 1) that is always the same for a distinct id: the first 48 bits of its SHA-256. A
 * change of this formula makes every project keep other persons than before.
 */
export function placeOf(distinctId: string): number {
  return createHash('sha256').update(distinctId).digest().readUIntBE(0, 6) / 2 ** 48
}
