/** Follows a deletion that runs in the background, for the commands that ask for one. */
import { getDeletion } from '../../../gateway/client/calls.ts'
import type { Client } from '../../../gateway/client/runtime.ts'
import type { Deletion } from '../../../gateway/client/types.ts'
import type { Clock } from '../../core/clock.ts'
import { AppError } from '../../core/code.ts'
import { print } from '../command.ts'
import { asking, type ServerOptions } from '../rest-client.ts'

export type DeletionOptions = ServerOptions & {
  readonly project: string
  readonly dryRun?: boolean
  readonly wait: boolean
  readonly json?: boolean
}

export const DELETION_HELP = `
The key needs level 8 of the organization. The deletion runs in the background and goes on when
this command is interrupted. --key shows the key to everybody who lists the processes of this
machine; the environment variable SLUICE_API_KEY does not.`

const LOOK_MS = 1_000

/**
 * Prints the deletion; waits for its end first, unless told otherwise.
 * @param report receives the progress, one line at a time.
 */
export async function finish(
  deps: { readonly clock: Clock; readonly client: Client; readonly report: (line: string) => void },
  asked: Deletion,
  { project, wait, json }: DeletionOptions,
): Promise<void> {
  const end = wait ? await followDeletion(deps, asked, project) : asked
  print(json === true ? JSON.stringify(end) : textOf(end))
}

/**
 * Resolves when the deletion is done.
 * @throws {AppError} `cancelled` when it was cancelled, or when `signal` aborts: then it continues
 * on the server.
 */
export async function followDeletion(
  { clock, client, report }: Parameters<typeof finish>[0],
  asked: Deletion,
  project_id: string,
  signal?: AbortSignal,
): Promise<Deletion> {
  let deletion = asked
  for (let told = ''; deletion.state === 'running' && deletion.id !== null; ) {
    const { id } = deletion
    const line = `${progressOf(deletion)}\n`
    if (line !== told) report(line)
    told = line
    await clock.sleep(LOOK_MS, signal)
    deletion = await asking('look after the deletion', () =>
      getDeletion(client, { project_id, id }),
    )
  }
  if (deletion.state !== 'cancelled') return deletion
  throw new AppError('cancelled', `the deletion was cancelled: ${progressOf(deletion)}`)
}

function progressOf({ deleted, total, error }: Deletion): string {
  const failed = error === null ? '' : ` (the last turn failed and is tried again: ${error})`
  return `${deleted} of ${total ?? 'an unknown number of'} events deleted${failed}`
}

function textOf(deletion: Deletion): string {
  const { id, state, person_uuid: person, total, backups_hold_until: until } = deletion
  if (state === 'dry_run') {
    const whom = person === null ? '' : `person ${person}, `
    return `would delete: ${whom}${total ?? 'an unknown number of'} events`
  }
  const held = until === null ? '' : `\nbackups hold them until ${until}`
  const whom = person === null ? '' : `person ${person} is gone; `
  return `${whom}deletion ${id} ${state}: ${progressOf(deletion)}${held}`
}
