/** Settings as text: their help, and their values with secrets masked. */
import {
  type Environment,
  environment,
  type Role,
  SETTINGS,
  type SettingKey,
  settingDefault,
} from './config.ts'

/** The keys of `SETTINGS`, in its order. */
export const settingKeys: readonly SettingKey[] = Object.keys(SETTINGS).filter(isSettingKey)

function isSettingKey(key: string): key is SettingKey {
  return Object.hasOwn(SETTINGS, key)
}

/** Every setting with its effective text, secrets masked: what is logged at start. */
export function describeConfig(
  role: Role,
  env: Environment = environment(),
): Record<SettingKey, string> {
  const described: Partial<Record<SettingKey, string>> = {}
  for (const key of settingKeys) described[key] = describe(key, role, env)
  return described as Record<SettingKey, string> // Filled by the loop over every key.
}

function describe(key: SettingKey, role: Role, env: Environment): string {
  const given = env[key]?.trim() ?? ''
  if (given === '') return settingDefault(key, role)
  if (SETTINGS[key].secret === 'all') return '***'
  return SETTINGS[key].secret === 'password' ? maskPasswords(given) : given
}

/**
 * Masks credentials of every URL in a list. A NATS URL may hold a token where others have a user,
 * so all before the `@` goes, and every parameter: drivers take passwords there too.
 */
export function maskPasswords(urls: string): string {
  return urls
    .split(/,(?=[a-z]+:\/\/)/)
    .map((url) => url.replace(/:\/\/.*@/, '://***@').replace(/\?.*$/, '?***'))
    .join(',')
}

/** All settings for `--help`: name, default, meaning. */
export function settingsHelp(role: Role): string {
  const lines = ['Settings (environment):']
  for (const key of settingKeys) {
    const fallback = settingDefault(key, role)
    lines.push(`  ${key}${fallback === '' ? '' : ` [${fallback}]`}`, `      ${SETTINGS[key].help}`)
  }
  return lines.join('\n')
}
