/** `sluice deadletter`: lists, shows, replays and discards dead letters. */
import { type Command, InvalidArgumentError } from 'commander'
import type { DeadLetter__Output } from '../../../proto/gen/sluice/v1/DeadLetter.ts'
import type { DeadLetterFilter } from '../../../proto/gen/sluice/v1/DeadLetterFilter.ts'
import type { DeadLettersDone__Output } from '../../../proto/gen/sluice/v1/DeadLettersDone.ts'
import type { ListDeadLettersResponse__Output } from '../../../proto/gen/sluice/v1/ListDeadLettersResponse.ts'
import { AppError } from '../../core/code.ts'
import { parseExact, withNumbers } from '../../core/json-text/exact-numbers.ts'
import { DEAD_LETTERS_PAGE } from '../../core/limits/limits.ts'
import { printable } from '../../core/logging/printable.ts'
import { print } from '../command.ts'
import { UsageError } from '../command-end.ts'
import { type AdminClient, withAdminClient } from './admin-client.ts'

const TABLE_HEAD =
  'id        created              project  tries  state  event                     error'
const ERROR_WIDTH = 72

const JSON_TEXTS = new Set(['properties', 'set', 'setOnce'])

type FilterOptions = {
  readonly id?: readonly number[]
  readonly project?: number
  readonly since?: string
  readonly until?: string
  readonly reason?: string
  readonly limit?: number
  readonly json?: boolean
}
type ChangeOptions = FilterOptions & { readonly all?: boolean; readonly dryRun?: boolean }

const CHANGE_HELP = `
Give a filter, or --all for every dead letter. Try --dry-run first: it only counts.`

/**
 * `sluice deadletter list|show|replay|discard`: events that the database refused. Properties are
 * shown by `show` alone. A replay that is cut short is repeated with the same command.
 */
export function registerDeadLetter(program: Command): void {
  const command = program
    .command('deadletter')
    .description('list, show, replay or discard events that the database refused')
  addFilters(command.command('list').description('list dead letters, oldest first'))
    .option('--limit <rows>', 'most rows to list', whole, DEAD_LETTERS_PAGE)
    .option('--json', 'print one JSON object')
    .action((options: FilterOptions) => withAdminClient((client) => list(client, options)))
  command
    .command('show')
    .description('show one dead letter with its whole event')
    .argument('<id>', 'its number in the list', whole)
    .option('--json', 'print one JSON object')
    .action((id: number, options: { json?: boolean }) =>
      withAdminClient((client) => show(client, id, options)),
    )
  addChangeOptions(
    command.command('replay').description('store them again, and remove those that are stored'),
  )
    .addHelpText('after', `${CHANGE_HELP}\nExit status 1 when the database refused an event again.`)
    .action((options: ChangeOptions) =>
      withAdminClient((client) => change(client, 'ReplayDeadLetters', options)),
    )
  addChangeOptions(
    command.command('discard').description('remove them for good, without storing them'),
  )
    .addHelpText('after', CHANGE_HELP)
    .action((options: ChangeOptions) =>
      withAdminClient((client) => change(client, 'DiscardDeadLetters', options)),
    )
}

function addFilters(command: Command): Command {
  return command
    .option(
      '--id <id>',
      'number of a dead letter; may be repeated',
      (id, ids: readonly number[] = []) => [...ids, whole(id)],
    )
    .option('--project <id>', 'only those of this project', whole)
    .option('--since <time>', 'only those first refused at this time or later, ISO 8601', text)
    .option('--until <time>', 'only those first refused before this time, ISO 8601', text)
    .option(
      '--reason <text>',
      'only those with this SQLSTATE, or with this text in the error',
      text,
    )
}

function addChangeOptions(command: Command): Command {
  return addFilters(command)
    .option('--all', 'select every dead letter')
    .option('--dry-run', 'count them and change nothing')
    .option('--limit <rows>', 'most dead letters to change, oldest first', whole)
    .option('--json', 'print one JSON object')
}

function whole(digits: string): number {
  const value = Number(digits)
  if (!/^\d+$/.test(digits) || !Number.isSafeInteger(value) || value === 0) {
    throw new InvalidArgumentError('not a whole number above 0.')
  }
  return value
}

/** Refuses an empty text, which would mean every dead letter. */
function text(value: string): string {
  if (value.trim() === '') throw new InvalidArgumentError('empty.')
  return value
}

async function list(client: AdminClient, options: FilterOptions): Promise<void> {
  const limit = options.limit ?? DEAD_LETTERS_PAGE
  const results: DeadLetter__Output[] = []
  let count = 0
  for (let cursor = 0; ; ) {
    const request = { ...filterOf(options), cursor, limit: limit - results.length }
    const answer = await call<ListDeadLettersResponse__Output>(client, 'ListDeadLetters', request)
    results.push(...answer.results)
    count = answer.count
    cursor = answer.cursor
    if (cursor === 0 || results.length >= limit) break
  }
  if (options.json === true) {
    print(JSON.stringify({ count, results: results.map(({ payload: _, ...letter }) => letter) }))
    return
  }
  if (results.length > 0) print(deadLetterTable(results))
  print(results.length === count ? `${count} found` : `${results.length} of ${count} shown`)
}

async function show(
  client: AdminClient,
  id: number,
  options: { readonly json?: boolean },
): Promise<void> {
  const letter = await call<DeadLetter__Output>(client, 'GetDeadLetter', { id })
  print(options.json === true ? JSON.stringify(letter) : deadLetterDetails(letter))
}

type Change = 'ReplayDeadLetters' | 'DiscardDeadLetters'
type Totals = Omit<DeadLettersDone__Output, 'cursor'>

/** Handles as many as there were at the beginning; events refused meanwhile are left. */
async function change(client: AdminClient, method: Change, options: ChangeOptions): Promise<void> {
  const filter = filterOf(options)
  if (Object.keys(filter).length === 0 && options.all !== true) {
    throw new UsageError('no filter given: add --all to mean every dead letter')
  }
  const probe = { ...filter, dry_run: true }
  const { matched } = await call<DeadLettersDone__Output>(client, method, probe)
  const goal = Math.min(matched, options.limit ?? matched)
  const totals = { matched: 0, stored: 0, refused: 0, discarded: 0 }
  if (options.dryRun === true) {
    print(options.json === true ? JSON.stringify({ ...totals, matched: goal }) : `${goal} found`)
    return
  }
  try {
    for (let cursor = 0; totals.matched < goal; ) {
      const request = { ...filter, cursor, limit: Math.min(goal - totals.matched, PER_CALL) }
      const done = await call<DeadLettersDone__Output>(client, method, request)
      for (const name of ['matched', 'stored', 'refused', 'discarded'] as const) {
        totals[name] += done[name]
      }
      cursor = done.cursor
      if (cursor === 0) break
      if (options.json !== true) progress(`${totals.matched} of ${goal}: ${wordsOf(totals)}`)
    }
  } catch (error) {
    if (totals.matched > 0) progress(`stopped after ${totals.matched}: ${wordsOf(totals)}`)
    throw error
  }
  print(
    options.json === true ? JSON.stringify(totals) : `${totals.matched} done: ${wordsOf(totals)}`,
  )
  if (totals.refused > 0) process.exitCode = 1
}

/** Rows of one call, few enough for an answer in time. */
const PER_CALL = 500

function wordsOf({ stored, refused, discarded }: Totals): string {
  return `${stored} stored, ${refused} refused again, ${discarded} discarded`
}

/** Standard output is for the answer. */
function progress(line: string): void {
  process.stderr.write(`${line}\n`)
}

function filterOf({ id, project, since, until, reason }: FilterOptions): DeadLetterFilter {
  return {
    ...(id === undefined ? {} : { ids: [...id] }),
    ...(project === undefined ? {} : { project_id: project }),
    ...(since === undefined ? {} : { since }),
    ...(until === undefined ? {} : { until }),
    ...(reason === undefined ? {} : { reason }),
  }
}

/** The worker's own words for a failure; a filter that it cannot read is wrong usage. */
async function call<T extends object>(
  client: AdminClient,
  method: string,
  request: object,
): Promise<T> {
  try {
    return (await client.call(method, request)) as T
  } catch (error) {
    if (!(error instanceof AppError) || error.detail === undefined) throw error
    const { attr, detail } = error.detail
    if (error.code === 'invalid_argument') throw new UsageError(`${attr ?? 'request'}: ${detail}`)
    throw new AppError(error.code, detail, { detail: error.detail })
  }
}

/** One line per dead letter, without its event. */
function deadLetterTable(letters: readonly DeadLetter__Output[]): string {
  return [TABLE_HEAD, ...letters.map(tableRow)].join('\n')
}

function tableRow(letter: DeadLetter__Output): string {
  return [
    String(letter.id).padEnd(9),
    letter.created_at.slice(0, 19).padEnd(20),
    String(letter.project_id).padEnd(8),
    String(letter.attempts).padEnd(6),
    letter.sqlstate.padEnd(6),
    fitted(letter.event, 25),
    fitted(letter.error, ERROR_WIDTH).trimEnd(),
  ].join(' ')
}

/** Everything of one dead letter, its event at the end. */
function deadLetterDetails(letter: DeadLetter__Output): string {
  const fields: readonly (readonly [name: string, value: string | number])[] = [
    ['id', letter.id],
    ['created', letter.created_at],
    ['project', letter.project_id],
    ['uuid', letter.uuid],
    ['event', letter.event],
    ['distinct id', letter.distinct_id],
    ['attempts', letter.attempts],
    ['SQLSTATE', letter.sqlstate],
    ['error', letter.error],
  ]
  const lines = fields.map(([name, value]) => `${name.padEnd(12)} ${printable(String(value))}`)
  return [
    ...lines,
    '',
    ...indented(letter.payload ?? '')
      .split('\n')
      .map(printable),
  ].join('\n')
}

/** The kept event with its JSON texts as objects; the text itself when it is no event. */
function indented(payload: string): string {
  try {
    const event: unknown = JSON.parse(payload)
    return withNumbers(JSON.stringify(event, withInnerJson, 2))
  } catch {
    return payload
  }
}

function withInnerJson(name: string, value: unknown): unknown {
  if (!JSON_TEXTS.has(name) || typeof value !== 'string' || value === '') return value
  try {
    return parseExact(value)
  } catch {
    return value // The reason, perhaps, why it was refused.
  }
}

function fitted(text: string, width: number): string {
  const points = Array.from(printable(text))
  if (points.length <= width) return points.join('').padEnd(width)
  return `${points.slice(0, width - 1).join('')}…`
}
