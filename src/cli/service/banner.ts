/** Banner that a start prints on a terminal: addresses, and commands to type next. */

export type BannerFacts = {
  /** HTTP address that this machine can open. */
  readonly url: string
  /** Signs the first reader in; undefined when no user can sign in. */
  readonly loginLink: string | undefined
  readonly grpc: string
  readonly dataDir: string
  /** False for a database of the operator's. */
  readonly hasOwnDatabase: boolean
  readonly project: { readonly id: number; readonly apiToken: string } | undefined
  /** Known at the first start alone. */
  readonly personalKey: string | undefined
  /** The file of the first keys, where it is still there. */
  readonly keysFile: string | undefined
  /** Command line of this program, with the settings to find this process: `commandLine`. */
  readonly command: string
}

const UNKNOWN_PERSONAL_KEY = '<personal API key>'

export function banner(facts: BannerFacts): string {
  const { url, project, command, loginLink } = facts
  const token = project?.apiToken ?? '<project API key>'
  const event = JSON.stringify({ api_key: token, event: 'hello', distinct_id: 'me' })
  const question = JSON.stringify({ api_key: token, distinct_id: 'me' })
  const json = "-H 'Content-Type: application/json'"
  const bearer = `-H 'Authorization: Bearer ${facts.personalKey ?? UNKNOWN_PERSONAL_KEY}'`
  const lines = [
    '',
    'Sluice is ready.',
    '',
    'The console, where this link signs you in once, within 15 minutes:',
    '',
    loginLink ?? `${command} admin login-link --email <address> prints one`,
    '',
    ...table([
      ['HTTP', url],
      ['API', `${url}/api/docs/`],
      ['gRPC', facts.grpc],
      [facts.hasOwnDatabase ? 'Data' : 'Folder', facts.dataDir],
      ['Project API key', token],
      ['Personal API key', personalKeyText(facts)],
    ]),
    '',
    `curl -X POST ${url}/capture/ ${json} -d '${event}'`,
    `curl -X POST '${url}/decide/?v=2' ${json} -d '${question}'`,
    `curl ${url}/api/projects/${project?.id ?? '@current'}/events/ ${bearer}`,
    '',
    `${command} status`,
    `${command} tail`,
    `${command} demo`,
    `${command} admin show`,
    `${command} admin login-link`,
    '',
    'Ctrl-C stops it.',
  ]
  return `${lines.map((line) => (line === '' ? '' : `  ${line}`)).join('\n')}\n\n`
}

/**
 * Text to type before the name of a command.
 * @param settings settings that the command needs to find this process at an unusual address.
 */
export function commandLine(program: string, settings: Readonly<Record<string, string>>): string {
  const given = Object.entries(settings).map(([name, value]) => `${name}=${quoted(value)} `)
  return `${given.join('')}${program}`
}

/** Quotes a text for a shell. */
function quoted(text: string): string {
  return /^[\w./:@-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`
}

function personalKeyText({ personalKey, keysFile, command }: BannerFacts): string {
  if (personalKey !== undefined) {
    return keysFile === undefined
      ? `${personalKey}   (shown once)`
      : `${personalKey}   (shown once; also in ${keysFile})`
  }
  const another = `${command} admin create-key makes one`
  return keysFile === undefined ? another : `in ${keysFile}; ${another}`
}

function table(rows: readonly (readonly [string, string])[]): readonly string[] {
  return rows.map(([name, value]) => `${name.padEnd(18)}${value}`)
}
