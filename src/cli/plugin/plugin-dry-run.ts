/** Tries a plugin config on the server before it is enabled. */
import { dryRunPluginConfig } from '../../../gateway/client/calls.ts'
import type { Client } from '../../../gateway/client/runtime.ts'
import type { RecordedEvent } from './plugin-events.ts'

/** A failure is seen in the first few events; each is a call. */
const EVENTS_MAX = 10

export type DryFailure = { readonly event: string; readonly reason: string }

/** The first event on which the config fails; undefined when it takes all of them. */
export async function firstDryFailure(
  client: Client,
  place: { readonly project_id: string; readonly id: number },
  events: readonly RecordedEvent[],
): Promise<DryFailure | undefined> {
  for (const { event } of events.slice(0, EVENTS_MAX)) {
    const { event: name, distinct_id, properties } = event
    const body = JSON.parse(JSON.stringify({ event: name, distinct_id, properties }))
    const { steps } = await dryRunPluginConfig(client, { ...place, event: body })
    const failed = steps.find((step) => step.config === place.id && step.outcome === 'failed')
    if (failed !== undefined) return { event: name, reason: failed.error ?? 'no reason given' }
  }
  return undefined
}
