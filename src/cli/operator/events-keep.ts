/** `sluice events keep`: takes events out of Postgres, month by month, or brings them back. */
import { type Command, Option } from 'commander'
import type { CopyStatus__Output } from '../../../proto/gen/sluice/v1/CopyStatus.ts'
import type { MoveMonthResponse__Output } from '../../../proto/gen/sluice/v1/MoveMonthResponse.ts'
import { COPY_SCAN_MS } from '../../core/limits/limits-columns.ts'
import { print } from '../command.ts'
import { type AdminClient, withAdminClient } from './admin-client.ts'
import { askCopy } from './ask-copy.ts'
import { monthText } from './events-copy-text.ts'

const HELP = `
--in clickhouse takes the events of each month out of Postgres, newest first, once ClickHouse is
compared with it. What stays is which events there are. Captures of a month wait for some seconds
while it leaves; none is lost. From then on questions, lists and exports need ClickHouse, and a
backup of Postgres does not have these events: "sluice backup" has them.
--in both brings them back. Postgres needs the room for them.
The command may be ended and begun again at any time.`

type KeepOptions = { readonly in: 'clickhouse' | 'both' }

export function registerEventsKeep(events: Command): void {
  events
    .command('keep')
    .description('keep events in ClickHouse alone, or in Postgres as well again')
    .addOption(
      new Option('--in <stores>', 'who is to hold events')
        .choices(['clickhouse', 'both'])
        .makeOptionMandatory(),
    )
    .addHelpText('after', HELP)
    .action(async ({ in: keepers }: KeepOptions) => {
      await withAdminClient(async (client) => {
        await askCopy(client)
        // That method's answer.
        const status = (await client.call('KeepEvents', { keepers })) as CopyStatus__Output
        for (const month of newestFirst(monthsToMove(status))) await moveMonth(client, month)
        print(
          keepers === 'clickhouse'
            ? 'ClickHouse alone holds the events'
            : 'Postgres and ClickHouse both hold the events',
        )
      })
    })
}

function monthsToMove({ keeps, months, ledger_months: ledger }: CopyStatus__Output) {
  return keeps === 'both' ? ledger : months.filter((month) => !ledger.includes(month))
}

/** Newest month first: `far` (after all months) begins the list, `old` (before them) ends it. */
function newestFirst(months: readonly string[]): readonly string[] {
  const place = (month: string) => (month === 'far' ? 'z' : month === 'old' ? '' : month)
  return [...months].sort((a, b) => (place(a) < place(b) ? 1 : -1))
}

async function moveMonth(client: AdminClient, month: string): Promise<void> {
  const { moved, events, store } = (await client.call(
    'MoveMonth',
    { month },
    { timeoutMs: COPY_SCAN_MS },
  )) as MoveMonthResponse__Output // That method's answer.
  if (!moved) return
  const where = store === 'clickhouse' ? 'in ClickHouse alone' : 'in Postgres again'
  print(`${monthText(month)}  ${events} events, ${where}`)
}
