/** `sluice events`: deletes events by the filters of a list; `events-replica.ts` has the rest. */
import type { Command } from 'commander'
import { createDeletion } from '../../../gateway/client/calls.ts'
import { systemClock } from '../../core/clock.ts'
import { registerEventsReplica } from '../operator/events-replica.ts'
import { asking, clientOf } from '../rest-client.ts'
import { DELETION_HELP, type DeletionOptions, finish } from './deletion.ts'

type EventsOptions = DeletionOptions & {
  readonly event?: string
  readonly distinctId?: string
  readonly personId?: string
  readonly properties?: string
  readonly where?: readonly string[]
  readonly after?: string
  readonly before?: string
}

const HELP = `
Examples:
  export SLUICE_API_KEY=phx_...
  sluice events delete --event '$pageview' --before -90d --dry-run \\
    --url https://sluice.example.com --project 1

An event goes when all filters hold for it. Give a filter, or both --after and --before.
${DELETION_HELP}`

export function registerEvents(program: Command): void {
  const events = program
    .command('events')
    .description('delete events; watch or move those in ClickHouse')
  registerEventsReplica(events)
  events
    .command('delete')
    .description('delete the events that filters choose')
    .requiredOption('--url <url>', 'URL of the server')
    .requiredOption('--project <id>', 'project of the events')
    .option('--key <key>', 'personal API key; better in SLUICE_API_KEY')
    .option('--event <name>', 'events of this name')
    .option('--distinct-id <id>', 'events of this distinct id')
    .option('--person-id <id>', 'events of this person: its integer id or UUID')
    .option('--properties <json>', 'filters of properties, as for the list of events')
    .option('--where <expression>', 'expression that holds; may be repeated', append)
    .option('--after <time>', 'events after this time: ISO 8601, or relative such as -7d')
    .option('--before <time>', 'events before this time (default: now)')
    .option('--dry-run', 'count the events and delete nothing')
    .option('--no-wait', 'end once the deletion is asked for')
    .option('--json', 'print one JSON object')
    .addHelpText('after', HELP)
    .action((options: EventsOptions) => deleteEvents(options))
}

async function deleteEvents(options: EventsOptions): Promise<void> {
  const client = clientOf(options)
  const { project: project_id, event, properties, where, after, before } = options
  const given = Object.entries({
    event,
    properties,
    where,
    after,
    before,
    dry_run: options.dryRun,
    distinct_id: options.distinctId,
    person_id: options.personId,
  }).filter(([, value]) => value !== undefined)
  const asked = await asking('delete the events', () =>
    createDeletion(client, { project_id, ...Object.fromEntries(given) }),
  )
  const report = (line: string) => process.stderr.write(line)
  await finish({ clock: systemClock, client, report }, asked, options)
}

function append(value: string, values: readonly string[] = []): readonly string[] {
  return [...values, value]
}
