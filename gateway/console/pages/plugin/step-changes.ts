/** Changes that a plugin has made to an event. */
import type { Json, JsonObject, PluginDryStep } from '../../../client/index.ts'
import { isRecord } from '../../data/json.ts'
import type { Change } from '../flag/diff.tsx'

export type DryRun = { readonly event: JsonObject; readonly steps: readonly PluginDryStep[] }

/** Members that the server adds before the first step, or writes in its own way. */
const OF_SERVER = ['uuid', 'team_id', 'timestamp', 'now', 'sent_at', 'site_url', 'ip']

/** The event as the first plugin was given it, as far as the answer tells. */
export function completed(event: JsonObject, after: Json): JsonObject {
  if (!isRecord(after)) return event
  const given = OF_SERVER.filter((name) => name in after && !(name === 'ip' && name in event))
  return { ...event, ...Object.fromEntries(given.map((name) => [name, after[name] ?? null])) }
}

/** Members that differ, by their paths: `properties.$ip`. A list is one value. */
export function changesBetween(before: Json, after: Json, path = ''): readonly Change[] {
  if (!isRecord(before) || !isRecord(after)) {
    const isSame = JSON.stringify(before) === JSON.stringify(after)
    return isSame ? [] : [{ field: path, before, after }]
  }
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])]
  return names.flatMap((name) =>
    changesBetween(
      before[name] ?? null,
      after[name] ?? null,
      path === '' ? name : `${path}.${name}`,
    ),
  )
}
