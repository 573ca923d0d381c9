import type { JsonObject } from '../core/proto/value.ts'
import { type Db, jsonText } from './db.ts'

export type NewPluginJob = {
  readonly id: string
  readonly configId: number
  readonly name: string
  readonly payload: JsonObject
}

/** Due at once. The caller holds the config's lock. */
export async function insertPluginJob(db: Db, job: NewPluginJob): Promise<void> {
  await db`
    insert into plugin_jobs (id, plugin_config_id, name, payload)
    values (${job.id}, ${job.configId}, ${job.name}, ${jsonText(job.payload)}::text::json)`
}
