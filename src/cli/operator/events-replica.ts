/** `sluice events status|verify|move`: the events in ClickHouse. */
import type { Command } from 'commander'
import type { CopyComparison__Output } from '../../../proto/gen/sluice/v1/CopyComparison.ts'
import { REPLICA_SCAN_MS } from '../../core/limits/limits-replica.ts'
import { print } from '../command.ts'
import { type AdminClient, withAdminClient } from './admin-client.ts'
import { askReplica, registerEventsMove } from './events-move.ts'
import { appendMonth, readableComparison, readableStatus } from './events-replica-text.ts'

const EXIT_DIFFERENT = 1

const HELP = `
The command asks the worker at GRPC_HOST:GRPC_PORT, with OPERATOR_TOKEN. The worker needs EVENTS_URL.`
const VERIFY_HELP = `${HELP}
Exit status: 0 when ClickHouse has all events of these months and no others, 1 otherwise.`

export function registerEventsReplica(events: Command): void {
  events
    .command('status')
    .description('show where the events are, and what ClickHouse does not have yet')
    .option('--json', 'print one JSON object')
    .addHelpText('after', HELP)
    .action(async ({ json }: { json?: boolean }) => {
      await withAdminClient(async (client) => {
        const status = await askReplica(client)
        print(json === true ? JSON.stringify(status) : readableStatus(status))
      })
    })
  events
    .command('verify')
    .description('compare ClickHouse with what Postgres knows of the events, by project and day')
    .option(
      '--month <month>',
      'only this one, as 2026-03, or persons; may be repeated',
      appendMonth,
    )
    .option('--json', 'print one JSON object for each month')
    .addHelpText('after', VERIFY_HELP)
    .action(({ month, json }: { month?: readonly string[]; json?: boolean }) =>
      withAdminClient((client) => verify(client, month, json === true)),
    )
  registerEventsMove(events)
}

async function verify(
  client: AdminClient,
  asked: readonly string[] | undefined,
  json: boolean,
): Promise<void> {
  const { months } = await askReplica(client)
  for (const month of asked ?? [...months, 'persons']) {
    const compared = (await client.call(
      'CompareCopy',
      { month },
      { timeoutMs: REPLICA_SCAN_MS },
    )) as CopyComparison__Output // That method's answer.
    print(json ? JSON.stringify({ month, ...compared }) : readableComparison(month, compared))
    if (compared.differences.length > 0) process.exitCode = EXIT_DIFFERENT
  }
}
