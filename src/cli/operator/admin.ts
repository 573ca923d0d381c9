/** `sluice admin`: makes and changes users and keys, from options or from JSON commands. */
import { createInterface } from 'node:readline'
import type { Command } from 'commander'
import type { CreateUserResponse__Output } from '../../../proto/gen/sluice/v1/CreateUserResponse.ts'
import type { LoginLink__Output } from '../../../proto/gen/sluice/v1/LoginLink.ts'
import { AppError } from '../../core/code.ts'
import { isObject } from '../../core/json.ts'
import { printable } from '../../core/logging/printable.ts'
import { print } from '../command.ts'
import { UsageError } from '../command-end.ts'
import { type AdminClient, withAdminClient } from './admin-client.ts'
import { INSTANCE_OPERATIONS, registerInstance } from './admin-instance.ts'
import { type Operation, PEOPLE_OPERATIONS, readable, registerPeople } from './admin-people.ts'

/** `sluice admin login-link`: a link that signs a user in to the console once. */
type Line = Readonly<Record<string, unknown>>
type Options = Readonly<Record<string, string | boolean>>

/** By the name of the JSON command. */
const LOGIN_OPERATIONS: Readonly<Record<string, Operation>> = {
  login_link: async (client, line) => {
    const request = { email: textOf(line, 'email'), url: textOf(line, 'url') }
    return await client.call('CreateLoginLink', request)
  },
}

function textOf(line: Line, name: string): string {
  const value = line[name] ?? ''
  if (typeof value === 'string') return value
  throw new AppError('invalid_argument', `${name} is not a string`)
}

/** @param run calls an operation of the worker by name, and prints the answer. */
function registerLoginLink(
  admin: Command,
  run: (operation: string, line: Line, isJson: boolean, show: typeof shown) => Promise<void>,
): void {
  admin
    .command('login-link')
    .description('print a link that signs a user in to the console once, within 15 minutes')
    .option('--email <address>', 'whom it signs in (default: the first owner)')
    .option('--url <url>', 'where people reach the console (default: as the server knows it)')
    .option('--json', 'print one JSON object')
    .action(async (options: Options) => {
      const line = { email: options['email'], url: addressOf(options['url']) }
      await run('login_link', line, options['json'] === true, shown)
    })
}

/** @throws {UsageError} for an invalid URL of a page. */
function addressOf(url: string | boolean | undefined): string | undefined {
  if (typeof url !== 'string') return undefined
  const { protocol, search, hash } = URL.canParse(url) ? new URL(url) : { protocol: '' }
  if (/^https?:$/.test(protocol) && !search && !hash) return url
  throw new UsageError('--url is not the http or https address of a server')
}

/** The link alone, so that a script can take it; a terminal gets the rest as well. */
function shown(answer: object): string {
  const { email, url, expires_at } = answer as LoginLink__Output
  if (process.stdout.isTTY) {
    const until = `${expires_at.slice(0, 16).replace('T', ' ')} UTC`
    process.stderr.write(`For ${printable(email)}, once, until ${until}:\n`)
  }
  return printable(url)
}

/** Operations by name; a sub-command wraps each. */
const OPERATIONS: Readonly<Record<string, Operation>> = {
  create_user: createUser,
  ...INSTANCE_OPERATIONS,
  ...PEOPLE_OPERATIONS,
  ...LOGIN_OPERATIONS,
}

/**
 * `sluice admin` without a sub-command reads one JSON command a line from standard input and
 * answers one JSON line each, in order. A failed command is answered by its error and the next ones
 * still run; the exit status is 1 when any has failed.
 */
export function registerAdmin(program: Command): void {
  const admin = program
    .command('admin')
    .description(
      'make and change users and keys; without a sub-command, read JSON commands from standard input, one a line',
    )
    .action(async () => {
      await withAdminClient(readCommands)
    })
  admin
    .command('create-user')
    .description('make a user with a personal API key, which is shown once')
    .requiredOption('--email <address>', 'e-mail address')
    .requiredOption('--first-name <name>', 'first name')
    .option('--organization-id <id>', 'organization to join; without it a new one is made')
    .option('--organization-name <name>', 'name of the new organization')
    .option(
      '--level <level>',
      '1 member, 8 administrator, 15 owner (default: 15 in a new organization, else 1)',
    )
    .option('--personal-api-key <key>', 'value of the key (default: generated)')
    .option('--json', 'print one JSON object')
    .action(async (options: Readonly<Record<string, string | boolean>>) => {
      await withAdminClient(async (client) => {
        const created = await createUser(client, {
          email: options['email'],
          first_name: options['firstName'],
          organization_id: options['organizationId'],
          organization_name: options['organizationName'],
          level: options['level'] === undefined ? undefined : Number(options['level']),
          personal_api_key: options['personalApiKey'],
        })
        print(options['json'] === true ? JSON.stringify(created) : readable(created))
      })
    })
  const run = async (
    name: string,
    line: object,
    isJson: boolean,
    show: (answer: object) => string = readable,
  ) => {
    await withAdminClient(async (client) => {
      const answer = await OPERATIONS[name]?.(client, { ...line })
      print(isJson ? JSON.stringify(answer) : show(answer ?? {}))
    })
  }
  registerInstance(admin, run)
  registerPeople(admin, run)
  registerLoginLink(admin, run)
}

async function readCommands(client: AdminClient): Promise<void> {
  for await (const line of createInterface({ input: process.stdin, crlfDelay: Infinity })) {
    if (line.trim() === '') continue
    const answer = await runCommand(client, line)
    if ('error' in answer) process.exitCode = 1
    print(JSON.stringify(answer))
  }
}

async function runCommand(client: AdminClient, line: string): Promise<object> {
  try {
    const command = parseCommand(line)
    const name = command['op']
    const operation =
      typeof name === 'string' && Object.hasOwn(OPERATIONS, name) ? OPERATIONS[name] : undefined
    if (operation === undefined) {
      const known = Object.keys(OPERATIONS).join(', ')
      throw new AppError('invalid_argument', `unknown op; one of: ${known}`)
    }
    return await operation(client, command)
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    const code = error.detail?.code ?? error.code
    return { error: { code, message: error.detail?.detail ?? error.message } }
  }
}

function parseCommand(line: string): Readonly<Record<string, unknown>> {
  try {
    const command: unknown = JSON.parse(line)
    if (isObject(command)) return command
  } catch {
    // Answered below, like JSON that is no object.
  }
  throw new AppError('invalid_argument', 'not a JSON object')
}

const TEXT_FIELDS = [
  'email',
  'first_name',
  'organization_id',
  'organization_name',
  'personal_api_key',
] as const

async function createUser(
  client: AdminClient,
  command: Readonly<Record<string, unknown>>,
): Promise<object> {
  const request: Record<string, unknown> = {}
  for (const field of TEXT_FIELDS) {
    const value = command[field]
    if (value === undefined || value === null) continue
    if (typeof value !== 'string') {
      throw new AppError('invalid_argument', `${field} is not a string`)
    }
    request[field] = value
  }
  const level = command['level']
  if (level !== undefined && level !== null) {
    if (level !== 1 && level !== 8 && level !== 15) {
      throw new AppError('invalid_argument', 'level is not 1, 8 or 15')
    }
    request['level'] = level
  }
  const created = (await client.call('CreateUser', request)) as CreateUserResponse__Output
  return {
    user_id: created.user_id,
    user_uuid: created.user_uuid,
    distinct_id: created.distinct_id,
    organization_id: created.organization_id,
    project_id: created.project_id ?? null,
    project_api_key: created.project_api_key ?? null,
    personal_api_key: created.personal_api_key,
  }
}
