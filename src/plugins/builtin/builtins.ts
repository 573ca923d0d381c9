/** The list of all built-in plugins. */
import type { Json } from '../../core/json.ts'
import { botFilter } from './bot-filter.ts'
import type { Builtin } from './define.ts'
import { eventSampler } from './event-sampler.ts'
import { geoip } from './geoip.ts'
import { ipAnonymizer } from './ip-anonymizer.ts'
import { propertyFilter } from './property-filter.ts'
import { propertyHasher } from './property-hasher.ts'
import { urlNormalizer } from './url-normalizer.ts'
import { webhookForwarder } from './webhook-forwarder.ts'

export const BUILTINS: readonly Builtin[] = [
  geoip,
  ipAnonymizer,
  propertyFilter,
  propertyHasher,
  urlNormalizer,
  eventSampler,
  botFilter,
  webhookForwarder,
]

const byName: ReadonlyMap<string, Builtin> = new Map(BUILTINS.map((each) => [each.name, each]))

export function findBuiltin(name: string): Builtin | undefined {
  return byName.get(name)
}

/** A built-in plugin as lists of plugins show it. */
export type BuiltinRow = {
  readonly builtin: string
  readonly name: string
  readonly description: string
  readonly configSchema: Json
  readonly capabilities: Json
}

export function builtinRows(): readonly BuiltinRow[] {
  return BUILTINS.map(({ name, title, description, schema, capabilities }) => ({
    builtin: name,
    name: title,
    description,
    configSchema: schema.map((entry) => ({ ...entry })),
    capabilities: {
      methods: capabilities.methods,
      jobs: capabilities.jobs,
      scheduled_tasks: capabilities.scheduledTasks,
    },
  }))
}
