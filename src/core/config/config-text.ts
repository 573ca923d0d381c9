/** Settings as text: their help, and their values with secrets masked. */
import {
  type Environment,
  environment,
  type Role,
  SETTINGS,
  type SettingKey,
  settingDefault,
} from './config.ts'
import { type Reader, reads, roleOf } from './setting-readers.ts'

/** The keys of `SETTINGS`, in its order. */
export const settingKeys: readonly SettingKey[] = Object.keys(SETTINGS).filter(isSettingKey)

function isSettingKey(key: string): key is SettingKey {
  return Object.hasOwn(SETTINGS, key)
}

/** The settings that a process reads. */
export function settingKeysOf(reader: Reader): readonly SettingKey[] {
  return settingKeys.filter((key) => reads(reader, key))
}

/** Effective settings of a process as texts, secrets masked; logged at start. */
export function describeConfig(
  reader: Reader,
  env: Environment = environment(),
): Partial<Record<SettingKey, string>> {
  const role = roleOf(reader)
  return Object.fromEntries(settingKeysOf(reader).map((key) => [key, describe(key, role, env)]))
}

/** Settings of `describeConfig` that differ from their defaults. */
export function describeChanged(
  reader: Reader,
  env: Environment = environment(),
): Partial<Record<SettingKey, string>> {
  const unset = describeConfig(reader, {})
  const shown = Object.entries(describeConfig(reader, env))
  return Object.fromEntries(shown.filter(([key, text]) => Reflect.get(unset, key) !== text))
}

function describe(key: SettingKey, role: Role, env: Environment): string {
  const given = env[key]?.trim() ?? ''
  if (given === '') return settingDefault(key, role)
  if (SETTINGS[key].secret === 'all') return '***'
  return SETTINGS[key].secret === 'password' ? maskPasswords(given) : given
}

/**
 * Masks credentials of every URL in a list: all before the `@`, since a NATS URL may hold a token
 * in place of a user, and every parameter, since drivers take passwords there too.
 */
export function maskPasswords(urls: string): string {
  return urls
    .split(/,(?=[a-z]+:\/\/)/)
    .map((url) => url.replace(/:\/\/.*@/, '://***@').replace(/\?.*$/, '?***'))
    .join(',')
}

/** The settings of a process for `--help`: name, default, meaning. */
export function settingsHelp(reader: Reader): string {
  const lines = ['Settings (environment):']
  for (const key of settingKeysOf(reader)) {
    const fallback = settingDefault(key, roleOf(reader))
    lines.push(`  ${key}${fallback === '' ? '' : ` [${fallback}]`}`, `      ${SETTINGS[key].help}`)
  }
  return lines.join('\n')
}
