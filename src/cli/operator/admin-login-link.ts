/** `sluice admin login-link`: a link that signs a user in to the console once. */
import type { Command } from 'commander'
import type { LoginLink__Output } from '../../../proto/gen/sluice/v1/LoginLink.ts'
import { AppError } from '../../core/code.ts'
import { printable } from '../../core/logging/printable.ts'
import { UsageError } from '../command-end.ts'
import type { Operation } from './admin-people.ts'

type Line = Readonly<Record<string, unknown>>
type Options = Readonly<Record<string, string | boolean>>

/** By the name of the JSON command. */
export const LOGIN_OPERATIONS: Readonly<Record<string, Operation>> = {
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
export function registerLoginLink(
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
