/** `sluice events move`: moves all events to ClickHouse and queries with them, or back. */
import { type Command, Option } from 'commander'
import type { CopyComparison__Output } from '../../../proto/gen/sluice/v1/CopyComparison.ts'
import type { CopyStatus__Output } from '../../../proto/gen/sluice/v1/CopyStatus.ts'
import { systemClock as clock } from '../../core/clock.ts'
import { AppError } from '../../core/code.ts'
import { COPY_SCAN_MS } from '../../core/limits/limits-columns.ts'
import { print } from '../command.ts'
import { type AdminClient, withAdminClient } from './admin-client.ts'
import { askCopy } from './ask-copy.ts'
import { monthText, readableComparison, readableGaps } from './events-copy-text.ts'

const LOOK_MS = 1_000
const PERSONS = 'persons'

const HELP = `
--to clickhouse has every month copied that ClickHouse lacks, newest first, and the distinct ids;
compares all of them; and then has questions about many events (EVENTS_READ_FROM) asked of
ClickHouse. The workers copy: the command may be ended and begun again at any time. Events stay in
Postgres.
--to postgres has all questions asked of Postgres, at once. The copy is kept on.`

type MoveOptions = { readonly to: 'clickhouse' | 'postgres' }

export function registerEventsMove(events: Command): void {
  events
    .command('move')
    .description('have questions asked of ClickHouse, or of Postgres again')
    .addOption(
      new Option('--to <store>', 'which store')
        .choices(['clickhouse', 'postgres'])
        .makeOptionMandatory(),
    )
    .addHelpText('after', HELP)
    .action(async ({ to }: MoveOptions) => {
      await withAdminClient(async (client) => {
        await askCopy(client)
        if (to === 'clickhouse') await makeWhole(client)
        // That method's answer.
        const { reads } = (await client.call('ReadCopy', { store: to })) as CopyStatus__Output
        print(`questions are asked of ${reads === 'clickhouse' ? 'ClickHouse' : 'Postgres'}`)
      })
    })
}

/** @throws {AppError} `failed_precondition` when the copy cannot be made whole, or differs. */
async function makeWhole(client: AdminClient): Promise<void> {
  await client.call('FillCopy', { months: [] })
  let told = ''
  for (;;) {
    const { state, problem, gaps } = await askCopy(client)
    if (gaps.length === 0) break
    if (gaps.every(({ asked }) => !asked)) {
      throw different(`it is not whole:\n${readableGaps(gaps).join('\n')}`)
    }
    const words = state === 'shipping' ? '' : ` (${state}: ${problem})`
    const text = `being copied: ${gaps.map(({ month }) => monthText(month)).join(', ')}${words}`
    if (text !== told) print(text)
    told = text
    await clock.sleep(LOOK_MS)
  }
  const { months } = await askCopy(client)
  let differs = false
  for (const month of [...months, PERSONS]) {
    const compared = (await client.call(
      'CompareCopy',
      { month },
      { timeoutMs: COPY_SCAN_MS },
    )) as CopyComparison__Output // That method's answer.
    print(readableComparison(month, compared))
    differs ||= compared.differences.length > 0
  }
  if (differs) throw different('it differs: "sluice events fill --all" makes it whole')
}

function different(words: string): AppError {
  return new AppError('failed_precondition', `the copy is not read yet: ${words}`)
}
