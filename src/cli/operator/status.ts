/** `sluice status`: the cluster as one worker sees it. */
import type { Command } from 'commander'
import type { GetStatusResponse__Output } from '../../../proto/gen/sluice/v1/GetStatusResponse.ts'
import { print } from '../command.ts'
import { withAdminClient } from './admin-client.ts'
import { readableStatus } from './status-text.ts'

const EXIT_PROBLEMS = 1

const HELP = `
The command asks the worker at GRPC_HOST:GRPC_PORT, with OPERATOR_TOKEN. Any worker answers for the
whole cluster. Exit status: 0 when the worker answered, 1 when it did not; with --check also 1 when
there are problems.`

export function registerStatus(program: Command): void {
  program
    .command('status')
    .description('show the members, their shards and rates, the stores, and problems')
    .option('--json', 'print one JSON object')
    .option('--check', 'exit with 1 when there are problems')
    .addHelpText('after', HELP)
    .action(async ({ json, check }: { json?: boolean; check?: boolean }) => {
      await withAdminClient(async (client) => {
        // That method's answer.
        const status = (await client.call('GetStatus', {})) as GetStatusResponse__Output
        print(json === true ? JSON.stringify(status) : readableStatus(status))
        if (check === true && status.problems.length > 0) process.exitCode = EXIT_PROBLEMS
      })
    })
}
