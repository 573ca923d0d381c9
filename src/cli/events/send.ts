/** `sluice send`: captures one event. */
import { type Command, InvalidArgumentError } from 'commander'
import { systemClock } from '../../core/clock.ts'
import { AppError } from '../../core/code.ts'
import { environment } from '../../core/config/config.ts'
import { type Json, objectOf } from '../../core/json.ts'
import { exactJson, parseExact } from '../../core/json-text/exact-numbers.ts'
import { createUuidV7 } from '../../events/uuid.ts'
import { print, serverConfig } from '../command.ts'
import { keyOf, unreachable, urlOf } from './instance-place.ts'

const HELP = `
Examples:
  sluice send hello
  sluice send paid --distinct-id ann --property plan=pro --property total=12.5
  sluice send signup --url https://sluice.example.com --api-key phc_...

Without --url it goes to HOST and PORT of this machine, without --api-key to the first project of
DATA_DIR. Exit status 0 once the event is stored.`

const TIMEOUT_MS = 30_000

type SendOptions = {
  readonly distinctId: string
  readonly property?: Readonly<Record<string, Json>>
  readonly timestamp?: string
  readonly url?: string
  readonly apiKey?: string
  readonly json?: boolean
}

export function registerSend(program: Command): void {
  program
    .command('send')
    .description('capture an event')
    .argument('<event>', 'name of the event')
    .option('--distinct-id <id>', 'who it is of', 'me')
    .option('--property <name=value>', 'JSON or a text; may be repeated', property)
    .option('--timestamp <time>', 'ISO 8601 (default: now)')
    .option('--url <url>', 'URL of the server')
    .option('--api-key <key>', 'project API key; else SLUICE_PROJECT_API_KEY')
    .option('--json', 'print one JSON object')
    .addHelpText('after', HELP)
    .action(send)
}

async function send(event: string, options: SendOptions): Promise<void> {
  const config = serverConfig()
  const url = urlOf(options.url, config)
  const given = options.apiKey ?? environment()['SLUICE_PROJECT_API_KEY']
  const token = await keyOf('projectApiKey', given, config)
  const uuid = createUuidV7(systemClock.now)()
  const { distinctId, property: properties = {}, timestamp } = options
  const body = {
    api_key: token,
    event,
    distinct_id: distinctId,
    uuid,
    properties,
    timestamp: timestamp ?? new Date(systemClock.now()).toISOString(),
  }
  await capture(url, exactJson(body))
  const isJson = options.json === true || !process.stdout.isTTY
  print(isJson ? JSON.stringify({ uuid, event, distinct_id: distinctId }) : `stored ${uuid}`)
}

/** @throws {AppError} with the server's words. */
async function capture(url: string, body: string): Promise<void> {
  const answer = await post(`${url}/capture/`, body).catch((error: unknown) => {
    throw unreachable(url, error)
  })
  if (answer.status === 200) return
  const { detail } = objectOf(parsed(answer.text))
  const said = typeof detail === 'string' ? detail : `${url} is no such server`
  throw new AppError('failed_precondition', `not stored: ${said} (${answer.status})`)
}

async function post(address: string, body: string): Promise<{ status: number; text: string }> {
  const headers = { 'content-type': 'application/json' }
  const signal = AbortSignal.timeout(TIMEOUT_MS)
  const response = await fetch(address, { method: 'POST', headers, body, signal })
  return { status: response.status, text: await response.text() }
}

function parsed(text: string): unknown {
  try {
    return parseExact(text)
  } catch {
    return undefined // Not an answer of Sluice.
  }
}

/** `name=value`, the value JSON where it can be read so. */
export function property(
  text: string,
  before: Readonly<Record<string, Json>> = {},
): Readonly<Record<string, Json>> {
  const at = text.indexOf('=')
  if (at < 1) throw new InvalidArgumentError('not name=value.')
  const value = text.slice(at + 1)
  const read = parsed(value)
  // Own properties only, `__proto__` among them.
  const entries = [
    ...Object.entries(before),
    [text.slice(0, at), read === undefined ? value : asJson(read)] as const,
  ]
  return Object.fromEntries(entries)
}

/** Types a result of `JSON.parse`. */
function asJson(value: unknown): Json {
  return value as Json
}
