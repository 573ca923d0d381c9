/** The sub-commands of `sluice admin` about users that are there, and their keys. */
import type { Command } from 'commander'
import type { InstanceDetails__Output } from '../../../proto/gen/sluice/v1/InstanceDetails.ts'
import type { OrganizationDetails__Output } from '../../../proto/gen/sluice/v1/OrganizationDetails.ts'
import { AppError } from '../../core/code.ts'
import { isObject } from '../../core/json.ts'
import { printable } from '../../core/logging/printable.ts'
import { UsageError } from '../command-end.ts'
import type { AdminClient } from './admin-client.ts'

type Line = Readonly<Record<string, unknown>>

/** One call to the worker: from options, or from a JSON command. */
export type Operation = (client: AdminClient, line: Line) => Promise<object>

/** By the name of the JSON command. */
export const PEOPLE_OPERATIONS: Readonly<Record<string, Operation>> = {
  show: async (client, line) =>
    (line['user'] ?? undefined) === undefined
      ? await showInstance(client)
      : await showUser(client, line),
  disable_user: asking('DisableUser', ['user']),
  enable_user: asking('EnableUser', ['user']),
  create_key: async (client, line) =>
    await createKey(client, { ...line, user: line['user'] ?? (await onlyUser(client)) }),
  revoke_key: asking('RevokeKey', ['key']),
  confirm_email: asking('ConfirmEmail', ['user'], ['email']),
}

const showUser = asking('ShowUser', ['user'])
const createKey = asking('CreateKey', ['user'], ['label', 'expires_at'], ['scopes'])

const WHO = 'id, UUID or e-mail address of the user'

/** Without a user, `show` is of the instance, and `create_key` of the only user that there is. */
const MAY_LACK_USER: ReadonlySet<string> = new Set(['show', 'create_key'])

/** @param run calls an operation of the worker by name, and prints the answer. */
export function registerPeople(
  admin: Command,
  run: (operation: string, line: Line, isJson: boolean) => Promise<void>,
): void {
  const about = (name: string, operation: string, description: string) => {
    const command = admin
      .command(name)
      .description(description)
      .option('--user <user>', WHO)
      .option('--json', 'print one JSON object')
    return command.action(async (options: Readonly<Record<string, string | boolean>>) => {
      const user = options['user'] ?? (operation === 'confirm_email' ? undefined : options['email'])
      if (user === undefined && !MAY_LACK_USER.has(operation)) {
        throw new UsageError(`${name} needs --user: ${WHO}`)
      }
      const scopes = options['scopes']
      await run(
        operation,
        {
          user,
          label: options['label'],
          scopes: typeof scopes === 'string' ? scopes.split(',') : undefined,
          expires_at: options['expiresAt'],
          email: options['email'],
        },
        options['json'] === true,
      )
    })
  }
  const EMAIL = ['--email <address>', 'the same, by e-mail address'] as const
  about(
    'show',
    'show',
    'show the organizations and projects with their keys; with --user, a user',
  ).option(...EMAIL)
  about('disable-user', 'disable_user', 'refuse all keys of a user at once').option(...EMAIL)
  about('enable-user', 'enable_user', 'let a user sign in again').option(...EMAIL)
  about('create-key', 'create_key', 'make a personal API key for a user, which is shown once')
    .option(...EMAIL)
    .option('--label <label>', 'name of the key, at most 40 characters')
    .option('--scopes <scopes>', 'such as feature_flag:read,query:read (default: every scope)')
    .option('--expires-at <time>', 'ISO 8601; the key is refused from then on')
  about('confirm-email', 'confirm_email', "confirm that an address is the user's").option(
    '--email <address>',
    'the address (default: the one that the user has asked for, else the one of the user)',
  )
  admin
    .command('revoke-key')
    .description('delete a personal API key, of whichever user')
    .requiredOption('--key <key>', 'id or value of the key')
    .option('--json', 'print one JSON object')
    .action(async (options: Readonly<Record<string, string | boolean>>) => {
      await run('revoke_key', { key: options['key'] }, options['json'] === true)
    })
}

/** Takes the named fields of a line to a method of the operator's service. */
function asking(
  method: string,
  needed: readonly string[],
  texts: readonly string[] = [],
  lists: readonly string[] = [],
): Operation {
  return async (client, line) => {
    const request: Record<string, unknown> = {}
    for (const field of [...needed, ...texts]) {
      const value = line[field] ?? undefined
      if (value === undefined && needed.includes(field)) {
        throw new AppError('invalid_argument', `${field} is missing`)
      }
      if (value === undefined) continue
      request[field] = textOf(field, value)
    }
    for (const field of lists) {
      const value = line[field] ?? undefined
      if (value === undefined) continue
      if (!Array.isArray(value)) throw new AppError('invalid_argument', `${field} is not a list`)
      request[field] = value.map((item) => textOf(field, item).trim())
    }
    return await client.call(method, request)
  }
}

/** Ids of users may be numbers. */
function textOf(field: string, value: unknown): string {
  if (typeof value === 'number' && field === 'user') return String(value)
  if (typeof value === 'string') return value
  throw new AppError('invalid_argument', `${field} is not a string`)
}

/** Names and values on lines of their own; lists at the end, indented below their names. */
export function readable(answer: object, indent = ''): string {
  return Object.entries(answer)
    .sort(([, one], [, other]) => Number(Array.isArray(one)) - Number(Array.isArray(other)))
    .map(([name, value]: [string, unknown]) => {
      const label = `${indent}${name.padEnd(18)}`
      if (Array.isArray(value) && value.some(isObject)) {
        return [`${indent}${name}`, ...value.map((item) => itemOf(item, indent))].join('\n')
      }
      if (isObject(value)) return `${indent}${name}\n${readable(value, `${indent}  `)}`
      const text = Array.isArray(value) ? value.join(', ') : String(value ?? '')
      return `${label} ${printable(text) || '-'}`
    })
    .join('\n')
}

function itemOf(item: unknown, indent: string): string {
  return isObject(item) ? readable(item, `${indent}  `).replace(/^(\s*) {2}/, '$1- ') : ''
}

/** All organizations with their projects, from as many pages as there are. */
async function showInstance(
  client: AdminClient,
): Promise<{ users: number; organizations: readonly OrganizationDetails__Output[] }> {
  const organizations = new Map<string, OrganizationDetails__Output>()
  let users = 0
  let after = ''
  do {
    // That method's answer.
    const page = (await client.call('ShowInstance', { after })) as InstanceDetails__Output
    for (const each of page.organizations) {
      const before = organizations.get(each.id)
      const projects = [...(before?.projects ?? []), ...each.projects]
      organizations.set(each.id, { ...each, projects })
    }
    users = page.users
    after = page.next
  } while (after !== '')
  return { users, organizations: [...organizations.values()] }
}

/** @throws {AppError} `invalid_argument` when there are several, or the only one owns nothing. */
async function onlyUser(client: AdminClient): Promise<string> {
  const { users, organizations } = await showInstance(client)
  const owner = organizations.find(({ owner_email: email }) => email !== undefined)?.owner_email
  if (users === 1 && owner !== undefined) return owner
  throw new AppError('invalid_argument', `there are ${users} users: name one with --user`)
}
