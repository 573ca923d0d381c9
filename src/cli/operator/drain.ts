import { type Command, InvalidArgumentError } from 'commander'
import type { DrainResponse__Output } from '../../../proto/gen/sluice/v1/DrainResponse.ts'
import type { GetStatusResponse__Output } from '../../../proto/gen/sluice/v1/GetStatusResponse.ts'
import { systemClock } from '../../core/clock.ts'
import { DRAIN_CALL_MS } from '../../core/limits/limits.ts'
import { commandConfig, print } from '../command.ts'
import { interruptible } from '../command-end.ts'
import { createAdminClient } from './admin-client.ts'
import { drainNode } from './drain-node.ts'

const TIMEOUT_S = 120

const HELP = `
Another active worker must be there to take the shards over; no request fails meanwhile. The process
goes on, marked drained, until it is ended: SIGTERM alone does all of this too. An interrupted or
late command does not stop the draining, and can be repeated.
Any worker is asked: the one at GRPC_HOST:GRPC_PORT, with OPERATOR_TOKEN.`

/** `sluice drain NODE`: empties a worker of its shards and leaves the process running. */
export function registerDrain(program: Command): void {
  program
    .command('drain')
    .description('hand the shards of a worker over to the others')
    .argument('<node>', 'id or address of the worker, as "sluice status" shows them')
    .option('--timeout <seconds>', 'give up waiting after that', seconds, TIMEOUT_S)
    .option('--json', 'print one JSON object, without progress')
    .addHelpText('after', HELP)
    .action(async (node: string, { json, timeout }: { json?: boolean; timeout: number }) => {
      const client = await createAdminClient(commandConfig())
      // Deserialized as those methods' answers.
      const drain = async (named: string, leftMs: number) => {
        const timeoutMs = Math.min(DRAIN_CALL_MS, leftMs)
        const answer = await client.call('Drain', { node: named }, { timeoutMs })
        return answer as DrainResponse__Output
      }
      const status = async () => (await client.call('GetStatus', {})) as GetStatusResponse__Output
      const show = json === true ? () => {} : print
      try {
        const drained = await interruptible((signal) =>
          drainNode(
            { clock: systemClock, drain, status, show },
            { node, timeoutMs: timeout * 1_000 },
            signal,
          ),
        )
        if (json === true) print(JSON.stringify(drained))
      } finally {
        client.close()
      }
    })
}

function seconds(digits: string): number {
  const value = Number(digits)
  if (/^\d{1,6}$/.test(digits) && value > 0) return value
  throw new InvalidArgumentError('not a whole number of seconds above 0.')
}
