/** The command `sluice plugin install`. */
import {
  createPlugin,
  createPluginConfig,
  dryRunPluginConfig,
  getPluginSource,
  listPluginConfigs,
  listPlugins,
  updatePluginConfig,
  updatePluginConfigSettings,
  updatePluginSource,
} from '../../../gateway/client/calls.ts'
import { type Client, type Page, pages } from '../../../gateway/client/runtime.ts'
import type { Plugin, PluginConfig } from '../../../gateway/client/types.ts'
import { AppError } from '../../core/code.ts'
import { UsageError } from '../command-end.ts'
import { asking, clientOf, type ServerOptions } from '../rest-client.ts'
import type { RecordedEvent } from './plugin-events.ts'
import {
  type GivenSettings,
  type PluginFolder,
  readPluginFolder,
  readSettings,
} from './plugin-folder.ts'
import { eventsOf, requireLoadable } from './plugin-test.ts'

export type InstallOptions = ServerOptions & {
  readonly organization: string
  readonly project?: string
  readonly enable?: boolean
  /** False enables it untried. */
  readonly test?: boolean
  readonly order?: number
  readonly config?: string
  readonly json?: boolean
}

type Installed = { readonly plugin: number; readonly name: string; readonly created: boolean }
type SetUp = { readonly config: number; readonly enabled: boolean; readonly order: number }

/**
 * Installs a plugin. Files and options are checked before the first call.
 * @returns the text to print.
 * @throws {UsageError} for files and options, {AppError} with the server's message.
 */
export async function installPlugin(dir: string, options: InstallOptions): Promise<string> {
  const client = clientOf(options)
  const folder = readPluginFolder(dir)
  const settings = readSettings(options.config, folder.configSchema)
  const { project } = options
  if (project === undefined) requireNoProjectOptions(options)
  const events = eventsOf(folder, undefined)
  await requireLoadable(folder, settings)
  const installed = await asking('install the plugin', () => install(client, folder, options))
  const setUp =
    project === undefined
      ? undefined
      : await asking(`set up plugin ${installed.plugin} in project ${project}`, () =>
          setUpConfig(client, installed, { ...options, project }, { ...settings, events }),
        )
  return options.json === true
    ? JSON.stringify({ ...installed, ...setUp })
    : textOf(installed, setUp)
}

function requireNoProjectOptions({ enable, order, config }: InstallOptions): void {
  const given = { '--enable': enable, '--order': order, '--config': config }
  const [first] = Object.entries(given).find(([, value]) => value !== undefined) ?? []
  if (first !== undefined) throw new UsageError(`${first} needs --project`)
}

async function install(
  client: Client,
  { name, files }: PluginFolder,
  { organization }: InstallOptions,
): Promise<Installed> {
  const place = { organization_id: organization }
  const known = await all(client, listPlugins(client, { ...place, limit: PAGE }))
  const same = known.filter((plugin) => plugin.name === name && isOwn(plugin, organization))
  const [first, second] = same
  if (second !== undefined) {
    const ids = same.map(({ id }) => id).join(', ')
    throw new UsageError(`several plugins are named ${JSON.stringify(name)}: ${ids}`)
  }
  if (first === undefined) {
    const fields = { plugin_type: 'source', name, files } as const
    const { id } = await createPlugin(client, { ...place, ...fields })
    return { plugin: id, name, created: true }
  }
  const there = await getPluginSource(client, { ...place, id: first.id })
  const gone = Object.keys(there).filter((file) => !Object.hasOwn(files, file))
  const change = { ...files, ...Object.fromEntries(gone.map((file) => [file, null])) }
  await updatePluginSource(client, { ...place, id: first.id, files: change })
  return { plugin: first.id, name, created: false }
}

/** A global plugin of another organization looks the same. */
function isOwn({ organization_id: owner, is_global: isGlobal }: Plugin, organization: string) {
  return organization === '@current' ? !isGlobal : owner === organization.toLowerCase()
}

/**
 * Enables the config last, so that it starts with its settings, and only when a dry run on the
 * server, with the stored settings, has not failed.
 * @throws {AppError} with the failure. The config exists then, and is not enabled.
 */
async function setUpConfig(
  client: Client,
  { plugin }: Installed,
  options: InstallOptions & { readonly project: string },
  { settings, attachments, events }: GivenSettings & { readonly events: readonly RecordedEvent[] },
): Promise<SetUp> {
  const place = { project_id: options.project }
  const known = await all(client, listPluginConfigs(client, { ...place, limit: PAGE }))
  const found = known.find((each) => each.plugin === plugin)
  const order = options.order ?? found?.order ?? nextOrder(known)
  const made = found ?? (await createPluginConfig(client, { ...place, plugin, order }))
  const config = { ...place, id: made.id }
  if (Object.keys(settings).length > 0) {
    await updatePluginConfigSettings(client, { ...config, settings })
  }
  const files = [...attachments].map(([key, { contents, contentType, fileName }]) => [
    key,
    new File([Buffer.from(contents)], fileName, { type: contentType }),
  ])
  const uploads = files.length === 0 ? {} : { attachments: Object.fromEntries(files) }
  const changed = await updatePluginConfig(client, { ...config, order, ...uploads })
  if (options.enable !== true) return setUpOf(changed)
  if (options.test !== false) await requireDryRun(client, config, { changed, events })
  return setUpOf(await updatePluginConfig(client, { ...config, enabled: true }))
}

function setUpOf({ id, enabled, order }: PluginConfig): SetUp {
  return { config: id, enabled, order }
}

async function requireDryRun(
  client: Client,
  place: { readonly project_id: string; readonly id: number },
  { changed, events }: { changed: PluginConfig; events: readonly RecordedEvent[] },
): Promise<void> {
  const failure = await firstDryFailure(client, place, events)
  if (failure === undefined) return
  const state = changed.enabled ? 'which was enabled before and still is' : 'which is not enabled'
  throw new AppError(
    'failed_precondition',
    `the dry run of config ${place.id}, ${state}, failed with the event ` +
      `${JSON.stringify(failure.event)}: ${failure.reason} (--no-test enables it all the same)`,
  )
}

const ORDER_MAX = 2_147_483_647

function nextOrder(configs: readonly PluginConfig[]): number {
  const last = configs.reduce((max, { order }) => Math.max(max, order), 0)
  return Math.min(last + 1, ORDER_MAX)
}

/** Items of one request, and of all requests together: far more plugins than anyone has. */
const PAGE = 1_000
const ITEMS_MAX = 100_000

async function all<Item>(client: Client, first: Promise<Page<Item>>): Promise<readonly Item[]> {
  const items: Item[] = []
  for await (const { results } of pages(client, first)) {
    items.push(...results)
    if (items.length > ITEMS_MAX) throw new AppError('resource_exhausted', 'the list has no end')
  }
  return items
}

function textOf({ plugin, name, created }: Installed, setUp: SetUp | undefined): string {
  const lines = [`plugin ${plugin} ${created ? 'installed' : 'updated'}: ${name}`]
  if (setUp !== undefined) {
    const { config, enabled, order } = setUp
    lines.push(`config ${config}: order ${order}, ${enabled ? 'enabled' : 'not enabled'}`)
  }
  return lines.join('\n')
}

/** A failure is seen in the first few events; each is a call. */
const EVENTS_MAX = 10

type DryFailure = { readonly event: string; readonly reason: string }

/** The first event on which the config fails; undefined when it takes all of them. */
async function firstDryFailure(
  client: Client,
  place: { readonly project_id: string; readonly id: number },
  events: readonly RecordedEvent[],
): Promise<DryFailure | undefined> {
  for (const { event } of events.slice(0, EVENTS_MAX)) {
    const { event: name, distinct_id, properties } = event
    const body = JSON.parse(JSON.stringify({ event: name, distinct_id, properties }))
    const { steps } = await dryRunPluginConfig(client, { ...place, event: body })
    const failed = steps.find((step) => step.config === place.id && step.outcome === 'failed')
    if (failed !== undefined) return { event: name, reason: failed.error ?? 'no reason given' }
  }
  return undefined
}
