/** `sluice events move`: moves the events from Postgres to ClickHouse, resumable at any point. */
import type { Command } from 'commander'
import type { CopyComparison__Output } from '../../../proto/gen/sluice/v1/CopyComparison.ts'
import type { CopyStatus__Output } from '../../../proto/gen/sluice/v1/CopyStatus.ts'
import type { FillCopyResponse__Output } from '../../../proto/gen/sluice/v1/FillCopyResponse.ts'
import type { MoveMonthResponse__Output } from '../../../proto/gen/sluice/v1/MoveMonthResponse.ts'
import { systemClock as clock } from '../../core/clock.ts'
import { AppError } from '../../core/code.ts'
import { REPLICA_SCAN_MS } from '../../core/limits/limits-replica.ts'
import { LOSS_ACCEPTED } from '../../event-store/outbox/gaps.ts'
import { print } from '../command.ts'
import { UsageError } from '../command-end.ts'
import { type AdminClient, withAdminClient } from './admin-client.ts'
import { appendMonth, monthText, readableComparison, readableGaps } from './events-replica-text.ts'

const LOOK_MS = 1_000
const PERSONS = 'persons'

const HELP = `
Copies what ClickHouse lacks, newest month first; compares every month; makes ClickHouse answer; and
removes the events of each month from Postgres, which keeps their keys. Captures and questions are
served meanwhile; captures of a month wait for some seconds while it leaves. The command may be
ended and run again at any time. Run it also after ClickHouse was restored from a backup: it copies
what is lacking. The way back is "sluice backup" and "sluice restore".`

type MoveOptions = { readonly month?: readonly string[]; readonly acceptLoss?: boolean }

export function registerEventsMove(events: Command): void {
  events
    .command('move')
    .description('move the events to ClickHouse, or copy there what it lacks')
    .option('--month <month>', 'copy this one again, as 2026-03; may be repeated', appendMonth)
    .option('--accept-loss', 'answer for the given months without the events that are lost')
    .addHelpText('after', HELP)
    .action(async ({ month: months = [], acceptLoss = false }: MoveOptions) => {
      if (acceptLoss && months.length === 0) throw new UsageError('--accept-loss needs --month')
      await withAdminClient(async (client) => {
        await askReplica(client)
        if (acceptLoss) return await acceptLosses(client, months)
        if (months.length > 0) await client.call('FillCopy', { months })
        await makeWhole(client)
        // That method's answer.
        const status = (await client.call('MoveHome', {})) as CopyStatus__Output
        for (const month of newestFirst(monthsToMove(status))) await moveMonth(client, month)
        print('the events are in ClickHouse')
      })
    })
}

/** Accepts the loss of events of these months; copies nothing. */
async function acceptLosses(client: AdminClient, months: readonly string[]): Promise<void> {
  const request = { months, accept_loss: true }
  // That method's answer.
  const done = (await client.call('FillCopy', request)) as FillCopyResponse__Output
  const words = done.months.map(monthText).join(', ')
  print(words === '' ? 'none of them has lost events' : `answered without what is lost: ${words}`)
}

/** @throws {AppError} `failed_precondition` when ClickHouse cannot get all events, or differs. */
async function makeWhole(client: AdminClient): Promise<void> {
  await client.call('FillCopy', { months: [] })
  await untilReplicated(client)
  const different = await compareAll(client)
  if (different.length === 0) return
  await client.call('FillCopy', { months: different })
  await untilReplicated(client)
  if ((await compareAll(client, different)).length === 0) return
  throw refused('ClickHouse differs from Postgres: run the command again')
}

/** Resolves when every gap is copied, except those that an operator has accepted. */
async function untilReplicated(client: AdminClient): Promise<void> {
  let told = ''
  for (;;) {
    const { state, problem, gaps } = await askReplica(client)
    const open = gaps.filter(({ reason }) => reason !== LOSS_ACCEPTED)
    if (open.length === 0) return
    if (open.every(({ asked }) => !asked)) {
      throw refused(`ClickHouse lacks events:\n${readableGaps(open).join('\n')}`)
    }
    const words = state === 'shipping' ? '' : ` (${state}: ${problem})`
    const text = `being copied: ${open.map(({ month }) => monthText(month)).join(', ')}${words}`
    if (text !== told) print(text)
    told = text
    await clock.sleep(LOOK_MS)
  }
}

/** @returns the months that differ, without accepted losses. */
async function compareAll(
  client: AdminClient,
  only?: readonly string[],
): Promise<readonly string[]> {
  const { months, gaps } = await askReplica(client)
  const accepted = gaps.map(({ month }) => month)
  const different: string[] = []
  for (const month of only ?? [...months, PERSONS]) {
    if (accepted.includes(month)) continue
    const compared = (await client.call(
      'CompareCopy',
      { month },
      { timeoutMs: REPLICA_SCAN_MS },
    )) as CopyComparison__Output // That method's answer.
    print(readableComparison(month, compared))
    if (compared.differences.length > 0) different.push(month)
  }
  return different
}

function monthsToMove({ months, ledger_months: moved }: CopyStatus__Output): readonly string[] {
  return months.filter((month) => !moved.includes(month))
}

/** Newest month first: `far` (after all months) begins the list, `old` (before them) ends it. */
function newestFirst(months: readonly string[]): readonly string[] {
  const place = (month: string) => (month === 'far' ? 'z' : month === 'old' ? '' : month)
  return [...months].sort((a, b) => (place(a) < place(b) ? 1 : -1))
}

async function moveMonth(client: AdminClient, month: string): Promise<void> {
  const { moved, events } = (await client.call(
    'MoveMonth',
    { month },
    { timeoutMs: REPLICA_SCAN_MS },
  )) as MoveMonthResponse__Output // That method's answer.
  if (moved) print(`${monthText(month)}  ${events} events, moved`)
}

function refused(words: string): AppError {
  return new AppError('failed_precondition', words)
}

/** @throws {AppError} `failed_precondition` when the worker has no copy. */
export async function askReplica(client: AdminClient): Promise<CopyStatus__Output> {
  const status = (await client.call('GetCopy', {})) as CopyStatus__Output // That method's answer.
  if (status.configured) return status
  throw new AppError('failed_precondition', 'the worker keeps no copy: EVENTS_URL is not set')
}
