/** `sluice events status|verify|fill|move|keep`: the copy of the events in ClickHouse. */
import { type Command, InvalidArgumentError } from 'commander'
import type { CopyComparison__Output } from '../../../proto/gen/sluice/v1/CopyComparison.ts'
import type { FillCopyResponse__Output } from '../../../proto/gen/sluice/v1/FillCopyResponse.ts'
import { COPY_SCAN_MS } from '../../core/limits/limits-columns.ts'
import { print } from '../command.ts'
import { UsageError } from '../command-end.ts'
import { type AdminClient, withAdminClient } from './admin-client.ts'
import { askCopy } from './ask-copy.ts'
import { monthText, readableComparison, readableCopy } from './events-copy-text.ts'
import { registerEventsKeep } from './events-keep.ts'
import { registerEventsMove } from './events-move.ts'

const EXIT_DIFFERENT = 1
const MONTH = /^(?:old|far|persons|y\d{4}m(?:0[1-9]|1[0-2]))$/

const HELP = `
The command asks the worker at GRPC_HOST:GRPC_PORT, with OPERATOR_TOKEN. The worker needs EVENTS_URL.`
const VERIFY_HELP = `${HELP}
Exit status: 0 when ClickHouse has all events of these months and no others, 1 otherwise.`

export function registerEventsCopy(events: Command): void {
  events
    .command('status')
    .description('show how far the copy of the events in ClickHouse is, and what is asked of it')
    .option('--json', 'print one JSON object')
    .addHelpText('after', HELP)
    .action(async ({ json }: { json?: boolean }) => {
      await withAdminClient(async (client) => {
        const status = await askCopy(client)
        print(json === true ? JSON.stringify(status) : readableCopy(status))
      })
    })
  events
    .command('verify')
    .description('compare the events in Postgres and ClickHouse, by project and day')
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
  events
    .command('fill')
    .description('make months of the copy in ClickHouse whole, in the background')
    .option('--month <month>', 'this one, as 2026-03, or persons; may be repeated', appendMonth)
    .option('--all', 'every month that has events, and the distinct ids')
    .option('--accept-loss', 'answer for these months without the events that are lost')
    .option('--json', 'print one JSON object')
    .addHelpText('after', `${HELP}\nWithout a month: those that are known to lack events.`)
    .action(async (options: FillOptions) => {
      await withAdminClient(async (client) => {
        if (options.acceptLoss === true) return await acceptLoss(client, options)
        const { months: known } = await askCopy(client)
        const months = options.all === true ? [...known, 'persons'] : (options.month ?? [])
        // That method's answer.
        const done = (await client.call('FillCopy', { months })) as FillCopyResponse__Output
        if (options.json === true) return print(JSON.stringify(done))
        const words = done.months.join(', ')
        print(words === '' ? 'no month is known to lack events' : `being filled: ${words}`)
      })
    })
  registerEventsMove(events)
  registerEventsKeep(events)
}

type FillOptions = {
  month?: readonly string[]
  all?: boolean
  acceptLoss?: boolean
  json?: boolean
}

/** Accepts the loss of events of these months; fills nothing. */
async function acceptLoss(client: AdminClient, { month = [], json }: FillOptions): Promise<void> {
  if (month.length === 0) throw new UsageError('--accept-loss needs --month')
  const request = { months: month, accept_loss: true }
  // That method's answer.
  const done = (await client.call('FillCopy', request)) as FillCopyResponse__Output
  if (json === true) return print(JSON.stringify(done))
  const words = done.months.map(monthText).join(', ')
  print(words === '' ? 'none of them has lost events' : `answered without what is lost: ${words}`)
}

async function verify(
  client: AdminClient,
  asked: readonly string[] | undefined,
  json: boolean,
): Promise<void> {
  const { months } = await askCopy(client)
  for (const month of asked ?? [...months, 'persons']) {
    const compared = (await client.call(
      'CompareCopy',
      { month },
      { timeoutMs: COPY_SCAN_MS },
    )) as CopyComparison__Output // That method's answer.
    print(json ? JSON.stringify({ month, ...compared }) : readableComparison(month, compared))
    if (compared.differences.length > 0) process.exitCode = EXIT_DIFFERENT
  }
}

/** `2026-03`, or as the store names a month. */
function appendMonth(text: string, months: readonly string[] = []): readonly string[] {
  const month = text.replace(/^(\d{4})-(\d{2})$/, 'y$1m$2')
  if (!MONTH.test(month)) throw new InvalidArgumentError('not a month such as 2026-03.')
  return [...months, month]
}
