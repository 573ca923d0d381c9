/** Settings that the commands of services also take as options. */
import type { Command } from 'commander'
import type { Environment, SettingKey } from '../../core/config/config.ts'
import { type Reader, reads } from '../../core/config/setting-readers.ts'

/** By the name that commander gives the option. */
const OPTIONS = {
  host: { setting: 'HOST', flags: '--host <address>', help: 'address that HTTP listens on' },
  port: { setting: 'PORT', flags: '--port <number>', help: 'port of HTTP' },
  grpcPort: { setting: 'GRPC_PORT', flags: '--grpc-port <number>', help: 'port of gRPC' },
  adminPort: {
    setting: 'ADMIN_PORT',
    flags: '--admin-port <number>',
    help: 'port of /livez, /readyz and /metrics',
  },
  dataDir: {
    setting: 'DATA_DIR',
    flags: '--data-dir <folder>',
    help: 'folder of the database and its keys',
  },
} as const satisfies Record<string, { setting: SettingKey; flags: string; help: string }>

type OptionName = keyof typeof OPTIONS
export type ServiceOptions = Readonly<Partial<Record<OptionName, string>>>

const FOLLOWS = '; gRPC gets the next one and the admin port the one after, unless they are set'

/** Adds the options whose setting the process reads. */
export function addServiceOptions(command: Command, reader: Reader): void {
  for (const { setting, flags, help } of Object.values(OPTIONS)) {
    if (!reads(reader, setting)) continue
    const more = setting === 'PORT' && reader === 'standalone' ? FOLLOWS : ''
    command.option(flags, `${help} (${setting})${more}`)
  }
}

/**
 * The environment with the options in the places of their settings. The ports of a standalone are
 * neighbours where only the first is given, so that a second one beside it needs one number.
 */
export function withOptions(
  reader: Reader,
  options: ServiceOptions,
  env: Environment,
): Environment {
  const given: Partial<Record<SettingKey, string>> = {}
  for (const [name, value] of Object.entries(options)) {
    if (isOption(name)) given[OPTIONS[name].setting] = value
  }
  const next = { ...env, ...given }
  const port = Number(given.PORT ?? '')
  if (reader !== 'standalone' || !Number.isInteger(port) || given.PORT === undefined) return next
  const follower = (key: SettingKey, distance: number) => {
    const text = next[key]?.trim() ?? ''
    return { [key]: text === '' ? String(port === 0 ? 0 : port + distance) : text }
  }
  return { ...next, ...follower('GRPC_PORT', 1), ...follower('ADMIN_PORT', 2) }
}

function isOption(name: string): name is OptionName {
  return Object.hasOwn(OPTIONS, name)
}
