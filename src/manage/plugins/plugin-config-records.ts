/** Jobs and log entries of a plugin config. */
import { v7 as uuidv7 } from 'uuid'
import type { ListPluginConfigLogsRequest__Output } from '../../../proto/gen/sluice/v1/ListPluginConfigLogsRequest.ts'
import type { PluginJob__Output } from '../../../proto/gen/sluice/v1/PluginJob.ts'
import { found, invalid } from '../../access/errors.ts'
import type { Clock } from '../../core/clock.ts'
import { AppError } from '../../core/code.ts'
import { PLUGIN_JOB_PAYLOAD_BYTES_MAX } from '../../core/limits/limits-plugins.ts'
import { EVENT_QUERY_TIMEOUT_MS } from '../../core/limits/limits-query.ts'
import { jobProblem } from '../../plugins/jobs/job.ts'
import { limitStatements, readEvents } from '../../postgres/bounded-reads.ts'
import type { Sql } from '../../postgres/connect.ts'
import { microsOf, parseBound } from '../../query/bounds.ts'
import { isCutStatement } from '../../query/time-budget.ts'
import {
  findPluginConfig,
  lockPluginConfig,
  type RatedPluginConfig,
  type StoredPluginConfig,
} from '../../store/plugins/plugin-config-store.ts'
import { insertPluginJob, isJobPayload } from '../../store/plugins/plugin-jobs-store.ts'
import {
  countPluginLogs,
  type LogSelection,
  listPluginLogs,
  type PluginLogEntry,
} from '../../store/plugins/plugin-log-store.ts'
import { findPluginOfConfig } from '../../store/plugins/plugin-store.ts'
import { throttledDetail } from '../../wire/details.ts'
import { audit } from '../audit.ts'
import { objectOf, toWireValue } from '../wire-value.ts'
import type { ConfigCaller } from './plugin-config-changes.ts'

const OPERATION_DEFAULT = 'start'
const TOO_LARGE = `The payload is larger than ${PLUGIN_JOB_PAYLOAD_BYTES_MAX} bytes as JSON.`
/** Time in which some jobs of a full config are run. */
const FULL_RETRY_S = 10

/**
 * Enqueues a job, due at once.
 * @throws {AppError} `invalid_argument` when the plugin has no such public job, or the payload does
 * not match its declaration or is too large; `resource_exhausted` when too many wait; `not_found`
 * when the config is gone.
 */
export async function startJob(
  sql: Sql,
  caller: ConfigCaller,
  configId: number,
  job: PluginJob__Output | null,
): Promise<RatedPluginConfig> {
  const { principal, access } = caller
  const { projectId } = access
  const type = job?.type ?? ''
  const operation = job?.operation ?? OPERATION_DEFAULT
  const payload = objectOf(job?.payload ?? null)
  const plugin = await findPluginOfConfig(sql, projectId, configId)
  const problem = jobProblem(plugin?.publicJobs ?? {}, { type, payload }, principal.isStaff)
  if (problem !== undefined) throw invalid(problem, null)
  return await sql.begin(async (tx) => {
    const config = found(await lockPluginConfig(tx, projectId, configId))
    const id = uuidv7()
    const enqueued = { ...payload, $operation: operation, $job_id: id }
    if (!isJobPayload(enqueued)) throw invalid(TOO_LARGE, null)
    if (!(await insertPluginJob(tx, { id, configId, name: type, payload: enqueued }))) {
      const detail = throttledDetail(FULL_RETRY_S)
      throw new AppError('resource_exhausted', 'too many jobs of a plugin wait', { detail })
    }
    await audit(tx, caller, {
      scope: 'PluginConfig',
      activity: 'job_started',
      itemId: configId,
      itemName: config.pluginName,
      type: 'sluice.v1.PluginJob',
      before: null,
      after: { type, operation, payload: toWireValue(payload) },
    })
    return found(await findPluginConfig(tx, projectId, configId))
  })
}

/**
 * One page of a config's log, with the number of all entries that match.
 * @throws {AppError} `invalid_argument` of a bound that is not a time, or when the search takes too
 * long.
 */
export async function readLogs(
  { sql, clock }: { sql: Sql; clock: Clock },
  config: StoredPluginConfig,
  request: ListPluginConfigLogsRequest__Output,
): Promise<{ count: number; entries: readonly PluginLogEntry[] }> {
  const now = clock.now()
  const selection: LogSelection = {
    project: config.projectId,
    config: config.id,
    after: boundOf('after', request.after, now),
    before: boundOf('before', request.before, now),
    search: request.search ?? '',
    // The validator leaves out lists that were not given.
    types: request.type_filter ?? [],
  }
  try {
    return await readEvents(sql, async (tx) => {
      // Sent together, and answered in order.
      const [, count, entries] = await Promise.all([
        limitStatements(tx, EVENT_QUERY_TIMEOUT_MS / 2),
        countPluginLogs(tx, selection),
        listPluginLogs(tx, selection, request),
      ])
      return { value: { count, entries } }
    })
  } catch (error) {
    if (!isCutStatement(error)) throw error
    throw invalid('The search took too long. Narrow it by time.', null, 'query_timeout')
  }
}

function boundOf(name: string, text: string | undefined, now: number): string | undefined {
  if (text === undefined || text === '') return undefined
  const bound = parseBound(text, now)
  if (bound === undefined) throw invalid('Must be a date and time of ISO 8601.', name)
  return microsOf(bound)
}
