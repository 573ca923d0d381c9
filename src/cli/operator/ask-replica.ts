/** Reads the status of a worker's copy of the events. */
import type { CopyStatus__Output } from '../../../proto/gen/sluice/v1/CopyStatus.ts'
import { AppError } from '../../core/code.ts'
import type { AdminClient } from './admin-client.ts'

/** @throws {AppError} `failed_precondition` when the worker has no copy. */
export async function askReplica(client: AdminClient): Promise<CopyStatus__Output> {
  const status = (await client.call('GetCopy', {})) as CopyStatus__Output // That method's answer.
  if (status.configured) return status
  throw new AppError('failed_precondition', 'the worker keeps no copy: EVENTS_URL is not set')
}
