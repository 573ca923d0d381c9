/** `sluice demo`: a project that looks as if people used it. */
import { type Command, InvalidArgumentError } from 'commander'
import { systemClock } from '../../core/clock.ts'
import { AppError } from '../../core/code.ts'
import { environment } from '../../core/config/config.ts'
import { printable } from '../../core/logging/printable.ts'
import { print, serverConfig } from '../command.ts'
import { interruptible } from '../command-end.ts'
import { clientAt, keyOf, urlOf } from '../events/instance-place.ts'
import { type Filled, fillDemo } from './demo-fill.ts'
import { type Removed, removeDemo } from './demo-remove.ts'

const EVENTS = 100_000
const EVENTS_MAX = 1_000_000
const HELP = `
Examples:
  sluice demo
  sluice demo --events 5000 --project 3 --url https://sluice.example.com
  sluice demo --remove

Fills a project with a month of a shop that does not exist: events, persons, flags, insights, a
dashboard, goals of its page, and a deployment that broke the checkout yesterday, with an alert. It
is the same month each time, so a second run adds only what is later than the first.
Without --url it asks HOST and PORT of this machine; without --key it uses the first personal key of
DATA_DIR. Ctrl-C stops it: what was sent stays, and the same command continues. --remove removes
what the demo has made and nothing else; its key needs level 8 of the organization.`

type DemoOptions = {
  readonly project: string
  readonly events: number
  readonly until?: number
  readonly remove?: boolean
  readonly url?: string
  readonly key?: string
  readonly json?: boolean
}

export function registerDemo(program: Command): void {
  program
    .command('demo')
    .description('fill a project with a month of a shop, or remove it again')
    .option('--project <id>', 'id of the project', '@current')
    .option('--events <number>', 'number of events; one person for each twenty', eventsOf, EVENTS)
    .option('--until <time>', 'end of the month: ISO 8601 (default: now)', momentOf)
    .option('--remove', 'remove the demo')
    .option('--url <url>', 'URL of the server')
    .option('--key <key>', 'personal API key; better in SLUICE_API_KEY')
    .option('--json', 'print one JSON object')
    .addHelpText('after', HELP)
    .action((options: DemoOptions) => interruptible((signal) => demo(options, signal)))
}

async function demo(options: DemoOptions, signal: AbortSignal): Promise<void> {
  const config = serverConfig()
  const url = urlOf(options.url, config)
  const key = await keyOf('personalApiKey', options.key ?? environment()['SLUICE_API_KEY'], config)
  const progress = progressOn(process.stderr)
  const client = clientAt(url, key)
  const server = { client, url, clock: systemClock, signal, report: progress.show }
  const done = await work(server, options)
    .finally(progress.end)
    .catch((error: unknown) => {
      if (!signal.aborted) throw error
      const rest = options.remove === true ? '' : ', and --remove takes away what was sent'
      throw new AppError('cancelled', `stopped: the same command goes on${rest}`)
    })
  print(options.json === true ? JSON.stringify(done.answer) : done.text)
}

async function work(
  server: Parameters<typeof removeDemo>[0],
  { remove, project, events, until: untilMs = systemClock.now() }: DemoOptions,
): Promise<{ readonly answer: Filled | Removed; readonly text: string }> {
  if (remove === true) {
    const removed = await removeDemo(server, project)
    return { answer: removed, text: removedText(removed) }
  }
  const filled = await fillDemo(server, project, { events, untilMs })
  return { answer: filled, text: filledText(filled, server.url) }
}

function filledText({ project_id, project, events, persons }: Filled, url: string): string {
  const sent = events.toLocaleString('en')
  const whom = persons.toLocaleString('en')
  return [
    `${printable(project)} (project ${project_id}) has the demo: ${sent} events of ${whom} persons`,
    `${url}/project/${project_id}?date=-30d`,
  ].join('\n')
}

function removedText({ project_id, project, events, persons, objects }: Removed): string {
  const counts = [
    `${events.toLocaleString('en')} events`,
    `${persons.toLocaleString('en')} persons`,
    `${objects} flags, insights and other objects`,
  ]
  return `gone from ${printable(project)} (project ${project_id}): ${counts.join(', ')}`
}

/** One line that is overwritten, on a terminal; no output otherwise. */
function progressOn(output: NodeJS.WriteStream) {
  const clear = '\r\u001b[K'
  let isShown = false
  return {
    show: (text: string) => {
      if (!output.isTTY) return
      isShown = true
      output.write(clear + text)
    },
    end: () => {
      if (isShown) output.write(clear)
    },
  }
}

function eventsOf(text: string): number {
  const events = Number(text)
  if (/^\d+$/.test(text) && events >= 1 && events <= EVENTS_MAX) return events
  throw new InvalidArgumentError(`not a whole number from 1 to ${EVENTS_MAX}.`)
}

function momentOf(text: string): number {
  const ms = Date.parse(text)
  if (/^\d{4}-\d{2}-\d{2}/.test(text) && Number.isFinite(ms)) return ms
  throw new InvalidArgumentError('not a time in ISO 8601.')
}
