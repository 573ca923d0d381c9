/** `sluice drain`: moves all shards of a worker to the others. */
import { type Command, InvalidArgumentError } from 'commander'
import type { DrainResponse__Output } from '../../../proto/gen/sluice/v1/DrainResponse.ts'
import type { GetStatusResponse__Output } from '../../../proto/gen/sluice/v1/GetStatusResponse.ts'
import { systemClock } from '../../core/clock.ts'
import { DRAIN_CALL_MS } from '../../core/limits/limits.ts'
import { print } from '../command.ts'
import { interruptible } from '../command-end.ts'
import { withAdminClient } from './admin-client.ts'
import { drainNode } from './drain-node.ts'

const TIMEOUT_S = 120

const HELP = `
At least one other active worker must run, to which the shards move. No request fails meanwhile. The
process keeps running, marked as drained, until you end it. SIGTERM alone also drains. When the
command is interrupted or times out, the drain continues; you can repeat the command.
The command asks the worker at GRPC_HOST:GRPC_PORT, with OPERATOR_TOKEN. Any worker will do.`

export function registerDrain(program: Command): void {
  program
    .command('drain')
    .description('move the shards of a worker to the other workers')
    .argument('<node>', 'id or address of the worker, as "sluice status" shows them')
    .option('--timeout <seconds>', 'longest wait for the shards to move', seconds, TIMEOUT_S)
    .option('--json', 'print one JSON object, without progress')
    .addHelpText('after', HELP)
    .action(async (node: string, { json, timeout }: { json?: boolean; timeout: number }) => {
      await withAdminClient(async (client) => {
        // Deserialized as those methods' answers.
        const drain = async (named: string, leftMs: number) => {
          const timeoutMs = Math.min(DRAIN_CALL_MS, leftMs)
          const answer = await client.call('Drain', { node: named }, { timeoutMs })
          return answer as DrainResponse__Output
        }
        const status = async () => (await client.call('GetStatus', {})) as GetStatusResponse__Output
        const show = json === true ? () => {} : print
        const drained = await interruptible((signal) =>
          drainNode(
            { clock: systemClock, drain, status, show },
            { node, timeoutMs: timeout * 1_000 },
            signal,
          ),
        )
        if (json === true) print(JSON.stringify(drained))
      })
    })
}

function seconds(digits: string): number {
  const value = Number(digits)
  if (/^\d{1,6}$/.test(digits) && value > 0) return value
  throw new InvalidArgumentError('not a whole number of seconds above 0.')
}
