/** The sub-commands of `sluice admin` about organizations and the instance itself. */
import type { Command } from 'commander'
import type { ListActivityResponse__Output } from '../../../proto/gen/sluice/v1/ListActivityResponse.ts'
import type { RotateSecretsResponse__Output } from '../../../proto/gen/sluice/v1/RotateSecretsResponse.ts'
import { AppError } from '../../core/code.ts'
import { fromValue } from '../../wire/proto/value.ts'
import type { AdminClient } from './admin-client.ts'
import type { Operation } from './admin-people.ts'

type Line = Readonly<Record<string, unknown>>
type Options = Readonly<Record<string, string | boolean>>

/** By the name of the JSON command. */
export const INSTANCE_OPERATIONS: Readonly<Record<string, Operation>> = {
  set_plugins_level: setPluginsLevel,
  set_owner: setOwner,
  rotate_secrets: rotateSecrets,
  activity: listActivity,
}

const JSON_OPTION = ['--json', 'print one JSON object'] as const

/** @param run calls an operation of the worker by name, and prints the answer. */
export function registerInstance(
  admin: Command,
  run: (operation: string, line: Line, isJson: boolean) => Promise<void>,
): void {
  admin
    .command('rotate-secrets')
    .description('seal all stored secrets under the first key of SECRETS_KEY')
    .option(...JSON_OPTION)
    .action((options: Options) => run('rotate_secrets', {}, options['json'] === true))
  admin
    .command('set-plugins-level')
    .description('set the rights of an organization over plugins')
    .requiredOption('--organization-id <id>', 'organization')
    .requiredOption(
      '--level <level>',
      '0 nothing, 3 configure, 6 install its own, 9 install for all organizations',
    )
    .option(...JSON_OPTION)
    .action(async (options: Options) => {
      const line = { organization_id: options['organizationId'], level: Number(options['level']) }
      await run('set_plugins_level', line, options['json'] === true)
    })
  admin
    .command('set-owner')
    .description('name the owner of an organization, such as one whose owner is deactivated')
    .requiredOption('--organization-id <id>', 'organization')
    .requiredOption('--user <user>', 'id, UUID or e-mail address of a member of it')
    .option(...JSON_OPTION)
    .action(async (options: Options) => {
      const line = { organization_id: options['organizationId'], user: options['user'] }
      await run('set_owner', line, options['json'] === true)
    })
  admin
    .command('activity')
    .description('show changes of the instance, and keys that were refused, newest first')
    .option('--limit <number>', 'entries to show', '20')
    .option('--offset <number>', 'entries to pass over', '0')
    .option(...JSON_OPTION)
    .action(async (options: Options) => {
      const line = { limit: Number(options['limit']), offset: Number(options['offset']) }
      await run('activity', line, options['json'] === true)
    })
}

/**
 * Re-seals secrets page by page. It can be repeated after an interruption: finished pages stay
 * done.
 */
async function rotateSecrets(client: AdminClient): Promise<object> {
  let sealed = 0
  for (let after = 0; ; ) {
    const page = (await client.call('RotateSecrets', { after })) as RotateSecretsResponse__Output
    sealed += page.sealed
    after = page.next
    if (after === 0) return { key: page.key, sealed }
  }
}

async function setPluginsLevel(
  client: AdminClient,
  { organization_id, level }: Line,
): Promise<object> {
  if (typeof organization_id !== 'string') {
    throw new AppError('invalid_argument', 'organization_id is not a string')
  }
  if (level !== 0 && level !== 3 && level !== 6 && level !== 9) {
    throw new AppError('invalid_argument', 'level is not 0, 3, 6 or 9')
  }
  return await client.call('SetPluginsLevel', { organization_id, level })
}

async function setOwner(client: AdminClient, { organization_id, user }: Line): Promise<object> {
  if (typeof organization_id !== 'string') {
    throw new AppError('invalid_argument', 'organization_id is not a string')
  }
  const named = typeof user === 'number' ? String(user) : user
  if (typeof named !== 'string') throw new AppError('invalid_argument', 'user is not a string')
  return await client.call('SetOwner', { organization_id, user: named })
}

async function listActivity(client: AdminClient, { limit = 0, offset = 0 }: Line): Promise<object> {
  for (const [name, value] of Object.entries({ limit, offset })) {
    if (typeof value === 'number' && Number.isSafeInteger(value) && value >= 0) continue
    throw new AppError('invalid_argument', `${name} is not a whole number`)
  }
  const answer = await client.call('ListInstanceActivity', { limit, offset })
  return listOf(answer as ListActivityResponse__Output)
}

/** Fields of the entries that an operator reads. */
function listOf({ count, results }: ListActivityResponse__Output): object {
  const entries = results.map(({ created_at, activity, item_id, detail }) => {
    const facts = (detail?.changes ?? []).map(({ field, after }) => [field, fromValue(after)])
    return { created_at, activity, item: item_id, ...Object.fromEntries(facts) }
  })
  return { count, results: entries }
}
