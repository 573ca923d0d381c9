/** The built-in plugin that removes properties. */
import type { PluginEvent } from '../ports.ts'
import { defineBuiltin } from './define.ts'
import { propertyPath, propertySets, visitPath } from './properties.ts'

export const propertyFilter = defineBuiltin({
  name: 'property-filter',
  title: 'Property filter',
  description: 'Removes named properties from events and from what they set of persons.',
  schema: [
    {
      key: 'properties',
      name: 'Properties to remove',
      type: 'string',
      required: true,
      hint: 'Separated by commas. A dot leads into an object: "address.street". Also "$ip".',
    },
  ],
  methods: ['processEvent'],
  create(settings) {
    const paths = settings.list('properties').map(propertyPath)
    return {
      processEvent(event) {
        const sets = propertySets(event)
        for (const path of paths) {
          visitPath(sets, path, (holder, key) => delete holder[key])
          removeOwn(event, path.name)
        }
        return event
      },
    }
  },
})

/** Removes members of the event itself. */
function removeOwn(event: PluginEvent, name: string): void {
  if (name === '$ip') event.ip = null
  else if (name === '$set') delete event.$set
  else if (name === '$set_once') delete event.$set_once
}
