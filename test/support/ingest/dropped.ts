/** Reports of dropped, refused and changed events. */
import { request, type Settings } from '../servers/product.ts'
import { runCommand } from '../servers/run-command.ts'

export type Warnings = {
  readonly results: readonly { readonly type: string; readonly details: object }[]
  readonly last_hour: readonly { readonly reason: string; readonly count: number }[]
  readonly since: string
}

export async function warningsOf(url: string, key: string): Promise<Warnings> {
  const path = `${url}/api/projects/1/ingestion_warnings/?limit=100`
  const { status, body } = await request(path, { key })
  if (status !== 200) throw new Error(`${status}: ${JSON.stringify(body)}`)
  return body as Warnings
}

type Row = { readonly project_id: number; readonly reason: string; readonly count: number }

/** `sluice status`, for programs and for people. */
export async function droppedInStatus(
  settings: Settings,
): Promise<{ readonly rows: readonly Row[]; readonly text: string }> {
  const [json, text] = await Promise.all([
    runCommand(['status', '--json'], settings),
    runCommand(['status'], settings),
  ])
  const { dropped } = JSON.parse(json.stdout.toString()) as { dropped: Row[] }
  return { rows: dropped, text: text.stdout.toString() }
}

/** Events by `reason project`, of the processes together. */
export async function droppedInMetrics(
  adminPorts: readonly number[],
): Promise<ReadonlyMap<string, number>> {
  const found = new Map<string, number>()
  for (const port of adminPorts) {
    const text = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text()
    const lines = text.matchAll(
      /^sluice_events_dropped_total\{reason="(\w+)",project="(\w+)"\} (\d+)$/gm,
    )
    for (const [, reason, project, count] of lines) {
      const key = `${reason} ${project}`
      found.set(key, (found.get(key) ?? 0) + Number(count))
    }
  }
  return found
}
