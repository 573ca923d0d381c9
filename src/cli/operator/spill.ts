/** `sluice spill`: shows the spill, or waits until it is empty. */
import { type Command, InvalidArgumentError } from 'commander'
import type { SpillStatus__Output } from '../../../proto/gen/sluice/v1/SpillStatus.ts'
import { systemClock } from '../../core/clock.ts'
import { print } from '../command.ts'
import { interruptible } from '../command-end.ts'
import { type AdminClient, withAdminClient } from './admin-client.ts'
import { readableSpill, waitForDrain } from './spill-drain.ts'

const TIMEOUT_S = 600

/** `sluice spill status|drain`: events that wait in NATS for the database. */
export function registerSpill(program: Command): void {
  const spill = program
    .command('spill')
    .description('show or follow the events that wait in NATS for the database')
  spill
    .command('status')
    .description('show the events in the spill, and whether more are sent there')
    .option('--json', 'print one JSON object')
    .action(async ({ json }: { json?: boolean }) => {
      await withAdminClient(async (client) => {
        const status = await askSpill(client)
        print(json === true ? JSON.stringify(status) : readableSpill(status))
      })
    })
  spill
    .command('drain')
    .description('wait until workers have emptied the spill, which they do by themselves')
    .option('--timeout <seconds>', 'longest wait', seconds, TIMEOUT_S)
    .option('--json', 'print one JSON object, without progress')
    .action(async ({ json, timeout }: { json?: boolean; timeout: number }) => {
      await withAdminClient(async (client) => {
        const status = await interruptible((signal) =>
          waitForDrain(
            {
              clock: systemClock,
              ask: () => askSpill(client),
              show: json === true ? ignore : print,
            },
            { timeoutMs: timeout * 1_000 },
            signal,
          ),
        )
        if (json === true) print(JSON.stringify(status))
      })
    })
}

async function askSpill(client: AdminClient): Promise<SpillStatus__Output> {
  return (await client.call('GetSpill', {})) as SpillStatus__Output // That method's answer.
}

function ignore(): void {
  // Nothing but the answer is printed.
}

function seconds(digits: string): number {
  const value = Number(digits)
  if (!/^\d{1,6}$/.test(digits) || value === 0) {
    throw new InvalidArgumentError('not a whole number of seconds above 0.')
  }
  return value
}
