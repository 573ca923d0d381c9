/** `sluice person delete` and `export`: deletes a person, and exports all data of one. */
import { createWriteStream } from 'node:fs'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { type Command, Option } from 'commander'
import { call, callStream, segment } from '../../../gateway/client/runtime.ts'
import type { Deletion } from '../../../gateway/client/types.ts'
import { systemClock } from '../../core/clock.ts'
import { AppError } from '../../core/code.ts'
import { asking, clientOf, type ServerOptions } from '../rest-client.ts'
import { DELETION_HELP, type DeletionOptions, finish } from './deletion.ts'

type Named = { readonly project: string; readonly by?: string }
type DeleteOptions = DeletionOptions & Named & { readonly deleteEvents?: boolean }
type ExportOptions = ServerOptions & Named & { readonly output?: string }

const PERSON = 'integer id or UUID of the person, or a distinct id with --by distinct_id'

const DELETE_HELP = `
Examples:
  export SLUICE_API_KEY=phx_...
  sluice person delete ann@example.com --by distinct_id --delete-events --dry-run \\
    --url https://sluice.example.com --project 1

Without --delete-events the events stay and belong to nobody.
${DELETION_HELP}`

const EXPORT_HELP = `
Writes one JSON object: the person, and the list of its events. The key needs level 8 of the organization.`

export function registerPerson(program: Command): void {
  const person = program.command('person').description('export or delete the data of a person')
  named(person.command('delete').description('delete a person, and its events'))
    .option('--delete-events', 'delete the events of the person too')
    .option('--dry-run', 'count the events and delete nothing')
    .option('--no-wait', 'end once the deletion is asked for')
    .option('--json', 'print one JSON object')
    .addHelpText('after', DELETE_HELP)
    .action((id: string, options: DeleteOptions) => deletePerson(id, options))
  named(person.command('export').description('write all data of a person as JSON'))
    .option('--output <file>', 'file to write; it must not exist (default: standard output)')
    .addHelpText('after', EXPORT_HELP)
    .action((id: string, options: ExportOptions) => exportPerson(id, options))
}

function named(command: Command): Command {
  return command
    .argument('<person>', PERSON)
    .requiredOption('--url <url>', 'URL of the server')
    .requiredOption('--project <id>', 'project of the person')
    .option('--key <key>', 'personal API key; better in SLUICE_API_KEY')
    .addOption(new Option('--by <name>', 'what names the person').choices(['id', 'distinct_id']))
}

async function deletePerson(id: string, options: DeleteOptions): Promise<void> {
  const client = clientOf(options)
  const query = { by: options.by, delete_events: options.deleteEvents, dry_run: options.dryRun }
  const asked = await asking('delete the person', () =>
    call<Deletion>(client, { verb: 'DELETE', path: pathOf(options, id), query }),
  )
  const report = (line: string) => process.stderr.write(line)
  await finish({ clock: systemClock, client, report }, asked, options)
}

async function exportPerson(id: string, options: ExportOptions): Promise<void> {
  const client = clientOf(options)
  const { body } = await asking('export the person', () => {
    const path = `${pathOf(options, id)}export/`
    return callStream(client, { verb: 'GET', path, query: { by: options.by } })
  })
  if (body === null) throw new AppError('internal', 'the answer has no body')
  const { output } = options
  const target =
    output === undefined ? process.stdout : createWriteStream(output, { flags: 'wx', mode: 0o600 })
  try {
    await pipeline(Readable.fromWeb(body), target, { end: output !== undefined })
  } catch (cause) {
    const where = output ?? 'standard output'
    throw new AppError('unavailable', `the export is not whole: ${where}`, { cause })
  }
}

function pathOf({ project }: Named, id: string): string {
  return `/api/projects/${segment(project)}/persons/${segment(id)}/`
}
