/** The commands `sluice plugin new`, `test` and `install`, for authors of plugins. */
import { mkdirSync, statSync, writeFileSync } from 'node:fs'
import { basename, join, resolve } from 'node:path'
import { type Command, InvalidArgumentError } from 'commander'
import { AppError } from '../../core/code.ts'
import { parseManifest } from '../../plugins/settings/manifest.ts'
import { scaffoldPlugin } from '../../plugins/settings/scaffold.ts'
import { print } from '../command.ts'
import { UsageError } from '../command-end.ts'
import { type InstallOptions, installPlugin } from './plugin-install.ts'
import { runTrial, type TrialCommandOptions } from './plugin-test.ts'

const EXIT_FAILED = 1

const NEW_HELP = `
Examples:
  sluice plugin new plugins/mark-staff
  sluice plugin new . --name "Mark staff"

Writes index.ts, plugin.json, README.md and events.json, and none when one of them is there.`

const TEST_HELP = `
Examples:
  sluice plugin test plugins/mark-staff
  sluice plugin test mark-staff.ts --events recorded.json --json
  sluice plugin test . --config config.json --run runEveryHour --fetch

The plugin runs in the server's sandbox, on this machine. Its events are those of --events, or of
events.json beside it, or three of ours: a list of events as they are captured, or what the list of
events of a project answers. Storage, cache and jobs last as long as the run; jobs that are due are
run. Exit status 1 when a call failed, 2 when the command line or a file is wrong.`

const INSTALL_HELP = `
Examples:
  export SLUICE_API_KEY=phx_...
  sluice plugin install . --url https://sluice.example.com --organization @current
  sluice plugin install . --url http://127.0.0.1:8000 --organization @current \\
    --project 1 --enable --order 10 --config config.json

The plugin is loaded on this machine first: one that cannot be loaded changes nothing on the server.
Before it is enabled, the server takes the events of events.json (else three of ours) through it; in
a dry run no fetch reaches anything. A plugin of this name is updated: its files become those of the
folder. The key needs the scope plugin:write. --key shows it to everybody who lists the processes of
this machine; the environment variable SLUICE_API_KEY does not.`

export function registerPlugin(program: Command): void {
  const plugin = program.command('plugin').description('write, test and install plugins')
  plugin
    .command('new')
    .description('write the files of a new plugin')
    .argument('<dir>', 'folder; created when missing')
    .option('--name <name>', 'name that people see; default: that of the folder')
    .option('--json', 'print one JSON object')
    .addHelpText('after', NEW_HELP)
    .action((dir: string, options: NewOptions) => writeScaffold(dir, options))
  plugin
    .command('test')
    .description('run recorded events through a plugin on this machine')
    .argument('<path>', "a plugin's folder, or its module")
    .option('--events <file>', 'JSON file of events')
    .option('--config <file>', 'JSON file of settings; a file setting has a path as its value')
    .option('--run <name>', 'call this job or schedule first; may be repeated', append)
    .option('--fetch', 'let the plugin fetch from any address')
    .option('--geoip <file>', 'database of places by IP address (.mmdb)')
    .option('--json', 'print one JSON object')
    .addHelpText('after', TEST_HELP)
    .action(async (path: string, options: TrialCommandOptions) => {
      const { text, failed } = await runTrial(path, options)
      print(text)
      if (failed > 0) process.exitCode = EXIT_FAILED
    })
  plugin
    .command('install')
    .description('install or update a plugin, and set it up in a project')
    .argument('<dir>', "the plugin's folder")
    .requiredOption('--url <url>', 'URL of the server')
    .requiredOption('--organization <id>', 'organization of the plugin: its id, or @current')
    .option('--key <key>', 'personal API key; better in SLUICE_API_KEY')
    .option('--project <id>', 'set it up in this project')
    .option('--enable', 'enable it there, once a dry run on the server has not failed')
    .option('--no-test', 'enable it without a dry run')
    .option(
      '--order <n>',
      'its place among the plugins of the project; a new one comes last',
      integer,
    )
    .option('--config <file>', 'JSON file of settings; a file setting has a path as its value')
    .option('--json', 'print one JSON object')
    .addHelpText('after', INSTALL_HELP)
    .action(async (dir: string, options: InstallOptions) => {
      print(await installPlugin(dir, options))
    })
}

type NewOptions = { readonly name?: string; readonly json?: boolean }

function writeScaffold(dir: string, { name: given, json }: NewOptions): void {
  const folder = resolve(dir)
  const name = given ?? basename(folder)
  const manifest = parseManifest(JSON.stringify({ name }))
  if (!manifest.ok) throw new UsageError(`--name: ${manifest.error}`)
  const files = scaffoldPlugin(name)
  const isThere = (file: string) =>
    statSync(join(folder, file), { throwIfNoEntry: false }) !== undefined
  const kept = [...files.keys()].filter(isThere)
  if (kept.length > 0) {
    throw new AppError('already_exists', `nothing written: ${dir} has ${kept.join(', ')}`)
  }
  try {
    mkdirSync(folder, { recursive: true })
    for (const [file, text] of files) writeFileSync(join(folder, file), text, { flag: 'wx' })
  } catch (error) {
    throw new AppError('failed_precondition', `cannot write to ${dir}`, { cause: error })
  }
  const written = { dir: folder, name, files: [...files.keys()] }
  if (json === true) print(JSON.stringify(written))
  else print(`${written.files.join(', ')} in ${dir}\nnext: sluice plugin test ${dir}`)
}

function append(value: string, values: readonly string[] = []): readonly string[] {
  return [...values, value]
}

function integer(text: string): number {
  if (!/^-?\d{1,10}$/.test(text)) throw new InvalidArgumentError('not a whole number.')
  return Number(text)
}
