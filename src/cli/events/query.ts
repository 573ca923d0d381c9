/** `sluice query`: runs a query on events. */
import { readFile } from 'node:fs/promises'
import { text as readText } from 'node:stream/consumers'
import type { Command } from 'commander'
import { runQuery } from '../../../gateway/client/calls.ts'
import { ApiError } from '../../../gateway/client/runtime.ts'
import { AppError } from '../../core/code.ts'
import { environment } from '../../core/config/config.ts'
import {
  isList,
  isObject,
  type Json,
  type JsonObject,
  listOf,
  objectOf,
  own,
} from '../../core/json.ts'
import { exactJson, parseExact } from '../../core/json-text/exact-numbers.ts'
import { printable } from '../../core/logging/printable.ts'
import { print, serverConfig } from '../command.ts'
import { interruptible, UsageError } from '../command-end.ts'
import { answerLines } from './answer-lines.ts'
import { clientAt, keyOf, unreachable, urlOf } from './instance-place.ts'
import { cut } from './text-chart.ts'

/** Bytes of a file with questions: more would be refused by the server. */
const INSIGHT_FILE_BYTES_MAX = 1_048_576

const HELP = `
Examples:
  sluice query views.json
  echo '{"kind": "TrendsQuery", "series": [{"kind": "EventsNode", "event": "$pageview"}]}' | sluice query -
  sluice query views.json --json | jq '.results[0].data'
  sluice query views.json --url https://sluice.example.com --project 3

The file has a question or a list of up to 12, as the body of POST /api/projects/:id/query/ or its
"query" alone: docs/INSIGHTS.md. Prints tables and bars on a terminal, JSON elsewhere. Without --url
it asks HOST and PORT of this machine; without --key it uses the first personal key of DATA_DIR.
Exit status 1 when a question could not be answered: the message names the member that is wrong.`

const WIDTH = 80

type QueryOptions = {
  readonly project: string
  readonly url?: string
  readonly key?: string
  readonly json?: boolean
}

export function registerQuery(program: Command): void {
  program
    .command('query')
    .description('ask a question about events')
    .argument('<file>', 'JSON file with the question; - is standard input')
    .option('--project <id>', 'id of the project', '@current')
    .option('--url <url>', 'URL of the server')
    .option('--key <key>', 'personal API key; better in SLUICE_API_KEY')
    .option('--json', 'print JSON')
    .addHelpText('after', HELP)
    .action((file: string, options: QueryOptions) =>
      interruptible((signal) => query(file, options, signal)),
    )
}

async function query(file: string, options: QueryOptions, signal: AbortSignal): Promise<void> {
  const config = serverConfig()
  const url = urlOf(options.url, config)
  const asked = questionIn(await textOf(file), file)
  const given = options.key ?? environment()['SLUICE_API_KEY']
  const client = clientAt(url, await keyOf('personalApiKey', given, config))
  const input = { project_id: options.project, query: asked }
  const answer = await runQuery(client, input, { signal }).catch((error: unknown) => {
    signal.throwIfAborted()
    if (!(error instanceof ApiError)) throw unreachable(url, error)
    const member = error.attr === null ? '' : `${error.attr}: `
    throw new AppError('failed_precondition', `${member}${error.message} (${error.status})`)
  })
  const isText = options.json !== true && process.stdout.isTTY
  print(isText ? linesOf(asked, answer, process.stdout.columns) : exactJson(answer))
  const failed = isList(asked) ? itemsOf(answer).filter((item) => errorOf(item) !== undefined) : []
  if (failed.length === 0) return
  const words = `${failed.length} of ${itemsOf(answer).length} questions could not be answered`
  throw new AppError('failed_precondition', words)
}

/** @throws {UsageError} for a file that cannot be read, or is too large. */
async function textOf(file: string): Promise<string> {
  const read = file === '-' ? readText(process.stdin) : readFile(file, 'utf8')
  const text = await read.catch((error: unknown) => {
    const code = error instanceof Error && 'code' in error ? ` (${String(error.code)})` : ''
    throw new UsageError(`cannot read ${file}${code}`)
  })
  if (Buffer.byteLength(text) <= INSIGHT_FILE_BYTES_MAX) return text
  throw new UsageError(`${file} is larger than ${INSIGHT_FILE_BYTES_MAX} bytes`)
}

/**
 * The query, or the list of queries, in the text of a file: by itself or in `query`.
 * @throws {UsageError}
 */
export function questionIn(text: string, file: string): JsonObject | readonly Json[] {
  let json: Json
  try {
    json = parseExact(text)
  } catch (error) {
    throw new UsageError(`${file} is not JSON: ${error instanceof Error ? error.message : ''}`)
  }
  const asked = isObject(json) && own(json, 'kind') === undefined ? own(json, 'query') : json
  if (isObject(asked) || isList(asked)) return asked
  throw new UsageError(`${file} has no question: an object with its kind, or a list of such`)
}

function itemsOf(answer: Json): readonly Json[] {
  return listOf(own(objectOf(answer), 'results'))
}

function errorOf(item: Json): string | undefined {
  const error = own(objectOf(item), 'error')
  if (error === undefined) return undefined
  const { attr, detail } = objectOf(error)
  return printable(`${typeof attr === 'string' ? `${attr}: ` : ''}${String(detail)}`)
}

/**
 * The answer on a terminal; for a list the answers one below another, with their kinds.
 * @param columns of the terminal; 0 when its size is not set, as in many containers.
 */
export function linesOf(asked: Json, answer: Json, columns: number | undefined): string {
  const width = columns === undefined || columns === 0 ? WIDTH : columns
  if (!isList(asked)) return answerLines(objectOf(answer), width).join('\n')
  const blocks = itemsOf(answer).map((item, at) => {
    const kind = String(own(objectOf(asked[at]), 'kind'))
    const lines = errorOf(item) ?? answerLines(objectOf(item), width).join('\n')
    return `${at}. ${cut(kind, width)}\n${lines}`
  })
  return blocks.join('\n\n')
}
