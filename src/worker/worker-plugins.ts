/** Composition of the plugins of a worker: what runs them, what they may ask of it, what they leave. */
import { setMaxListeners } from 'node:events'
import { addressRanges } from '../core/address-ranges.ts'
import type { Clock } from '../core/clock.ts'
import { assert } from '../core/code.ts'
import type { Log } from '../core/log.ts'
import type { NewsHub } from '../core/project-news.ts'
import { createUuidV7 } from '../events/uuid.ts'
import type { MailSettings } from '../mail/smtp-mailer.ts'
import { createBuiltinLoader } from '../plugins/builtin/builtin-loader.ts'
import { builtinRows } from '../plugins/builtin/builtins.ts'
import { createPluginDelivery } from '../plugins/delivery/delivery.ts'
import { createPluginCaches } from '../plugins/host/cache.ts'
import { createPluginCapture, type PluginCapture } from '../plugins/host/capture.ts'
import { createDryHost } from '../plugins/host/dry-host.ts'
import { createHostFetch } from '../plugins/host/fetch.ts'
import { createGeo, type Geo } from '../plugins/host/geo.ts'
import { createPluginHost } from '../plugins/host/host.ts'
import { type AllowsAddress, isPublicAddress } from '../plugins/host/public-address.ts'
import { createJobRunner } from '../plugins/jobs/job-runner.ts'
import { createScheduleRunner } from '../plugins/jobs/schedule-runner.ts'
import type {
  PluginDefinition,
  PluginHost,
  PluginRecords,
  PluginRuntime,
} from '../plugins/ports.ts'
import { createPluginRecords } from '../plugins/runtime/records.ts'
import { createPluginStates } from '../plugins/runtime/states.ts'
import { createPluginRuntime } from '../plugins/runtime.ts'
import { createSandboxLoader } from '../plugins/sandbox/sandbox-loader.ts'
import { createSourceCompiler } from '../plugins/settings/source-code.ts'
import type { EventSink, IngestGroup, IngestOutcome } from '../project/ports.ts'
import { registerBuiltins } from '../store/plugins/builtin-plugins-store.ts'
import { enqueueJob } from '../store/plugins/plugin-jobs-store.ts'
import { loadPluginDefinitions, loadPluginPlan } from '../store/plugins/plugin-plan-store.ts'
import { createPluginRecordsStore } from '../store/plugins/plugin-records-store.ts'
import { createPluginCursors, createPluginStorage } from '../store/plugins/plugin-storage-store.ts'
import type { Sql } from '../store/pool/connect.ts'

export type PluginSettings = {
  /** Whether plugins may fetch from public addresses. */
  readonly fetch: boolean
  /** Addresses and CIDR ranges from which they may fetch, too, though these are not public. */
  readonly fetchPrivate: readonly string[]
  /** Milliseconds of one event in one plugin. */
  readonly processMs: number
  /** Of all plugins together. */
  readonly memoryBytesMax: number
  /** A database of places by IP address. */
  readonly geoipFile: string | undefined
  /** Address at which people reach this installation, as events tell it to plugins. */
  readonly siteUrl: string
}

export type WorkerPlugins = {
  readonly runtime: PluginRuntime
  /** Begins to run jobs and scheduled tasks; events of `posthog.capture` go to `route`. */
  start(ways: PluginWays): void
  /** Before the sink is closed: events that wait for plugins go there first. */
  close(deadlineMs: number): Promise<void>
}

/** What is there only once projects are. */
export type PluginWays = {
  readonly route: (group: IngestGroup) => Promise<IngestOutcome>
  readonly anonymizesIps: (project: number) => Promise<boolean>
}

export type WorkerPluginsDeps = {
  readonly sql: Sql
  readonly news: Pick<NewsHub, 'publish'>
  readonly sink: EventSink
  readonly memberId: string
  readonly mail: MailSettings | undefined
  readonly clock: Clock
  readonly log: Log
}

/** Parts of the time in which a worker closes, once its jobs have ended. */
const RUNTIME_SHARE = 0.7
const CAPTURE_SHARE = 0.2

export async function startPlugins(
  deps: WorkerPluginsDeps,
  settings: PluginSettings,
): Promise<WorkerPlugins> {
  const { sql, sink, clock, log, memberId } = deps
  await registerBuiltins(sql, builtinRows())
  const geo = await createGeo(settings.geoipFile, log)
  const records = createPluginRecords({
    store: createPluginRecordsStore(sql),
    clock,
    log,
    instanceId: memberId,
  })
  const states = createPluginStates(deps)
  const ways = createLateWays()
  let closing: Promise<void> | undefined
  const capture = createPluginCapture({
    clock,
    newUuid: createUuidV7(clock.now),
    anonymizesIps: (project) => ways.now().anonymizesIps(project),
    // Plugins that are being closed take no more: what they have captured is stored as it is.
    submit: (group) => (closing === undefined ? ways.now().route(group) : sink.submit(group)),
    records,
  })
  const locate = async (ip: string) => geo.locate(ip)
  const runtime = createPluginRuntime(
    {
      loaders: {
        source: createSandboxLoader(
          { clock, log, compile: createSourceCompiler() },
          { processMs: settings.processMs, memoryBytesMax: settings.memoryBytesMax },
        ),
        builtin: createBuiltinLoader({ clock }),
      },
      loadDefinitions: (project, ids) => loadPluginDefinitions(sql, project, ids),
      loadPlan: (project) => loadPluginPlan(sql, project),
      hostOf: createHosts(deps, settings, { geo, records, capture }),
      dryHostOf: (definition, onLog) => createDryHost({ clock, locate }, definition, onLog),
      records,
      states,
      delivery: createPluginDelivery({
        records,
        clock,
        log,
        random: Math.random,
      }),
      sink,
      clock,
      log,
    },
    { siteUrl: settings.siteUrl },
  )
  const abort = new AbortController()
  // Every job and every task that waits for another attempt listens; the runners bound them.
  setMaxListeners(0, abort.signal)
  const running: Promise<void>[] = []
  const close = async (deadlineMs: number) => {
    const startedAt = clock.monotonic()
    abort.abort()
    await Promise.all(running)
    const leftMs = Math.max(0, deadlineMs - (clock.monotonic() - startedAt))
    await runtime.close(leftMs * RUNTIME_SHARE)
    await capture.close(leftMs * CAPTURE_SHARE)
    await records.close()
  }
  return {
    runtime,
    start(given) {
      ways.set(given)
      const parts = { sql, runtime, records, states, clock, log, random: Math.random }
      for (const runner of [createJobRunner(parts), createScheduleRunner(parts)]) {
        running.push(runner.run(abort.signal))
      }
    },
    close(deadlineMs) {
      closing ??= close(deadlineMs)
      return closing
    },
  }
}

function createHosts(
  { sql, clock, log }: WorkerPluginsDeps,
  settings: PluginSettings,
  parts: { geo: Geo; records: PluginRecords; capture: PluginCapture },
): (definition: PluginDefinition) => PluginHost {
  const host = {
    clock,
    log,
    storage: ({ step }: PluginDefinition) => createPluginStorage(sql, step.configId),
    cursor: ({ step }: PluginDefinition) => createPluginCursors(sql, step.configId),
    enqueueJob: ({ step }: PluginDefinition, job: Parameters<PluginHost['enqueueJob']>[0]) =>
      enqueueJob(sql, step.configId, job),
    caches: createPluginCaches({ clock }),
    fetch: createHostFetch({ clock, enabled: settings.fetch, allows: allowed(settings) }),
    locate: async (ip: string) => parts.geo.locate(ip),
    capture: parts.capture,
    records: parts.records,
  }
  return (definition) => createPluginHost(host, definition)
}

function allowed({ fetchPrivate }: PluginSettings): AllowsAddress {
  const ranges = addressRanges(fetchPrivate)
  assert(ranges.ok, 'the config has checked the ranges')
  return (address) => isPublicAddress(address) || ranges.value(address)
}

/** Plugins are made before the projects whose events they take. */
function createLateWays() {
  let ways: PluginWays | undefined
  return {
    set(given: PluginWays) {
      ways = given
    },
    now(): PluginWays {
      if (ways === undefined) throw new Error('plugins run before their worker')
      return ways
    },
  }
}
