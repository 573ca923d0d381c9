/** Builds the plugins of a worker: runtime, host functions, deliveries, jobs and schedules. */

import { setMaxListeners } from 'node:events'
import { addressRanges } from '../core/address-ranges.ts'
import type { ChangeFeed } from '../core/change-feed.ts'
import type { Clock } from '../core/clock.ts'
import { assert } from '../core/code.ts'
import type { Config } from '../core/config/config.ts'
import type { Log } from '../core/log.ts'
import type { KeyRing } from '../core/secrets/key-ring.ts'
import type { EventSink, IngestRoute } from '../events/event-batch.ts'
import { createUuidV7 } from '../events/uuid.ts'
import type { WarningCounts } from '../events/warnings/warning-counts.ts'
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
import { type AllowsAddress, isForeignAddress } from '../plugins/host/public-address.ts'
import { createJobRunner } from '../plugins/jobs/job-runner.ts'
import { createScheduleRunner } from '../plugins/jobs/schedule-runner.ts'
import type { PluginHost, PluginRecords, PluginRuntime, PluginStates } from '../plugins/ports.ts'
import { createPluginRecords } from '../plugins/runtime/records.ts'
import { createPluginRuntime } from '../plugins/runtime/runtime.ts'
import { createPluginStates } from '../plugins/runtime/states.ts'
import { createSandboxLoader } from '../plugins/sandbox/sandbox-loader.ts'
import { createSourceCompiler } from '../plugins/settings/source-code.ts'
import type { Sql } from '../postgres/connect.ts'
import type { PluginDefinition } from '../project/plugin-ports.ts'
import { registerBuiltins } from '../store/plugins/builtin-plugins-store.ts'
import { enqueueJob } from '../store/plugins/plugin-jobs-store.ts'
import { loadPluginDefinitions, loadPluginPlan } from '../store/plugins/plugin-plan-store.ts'
import { createPluginRecordsStore } from '../store/plugins/plugin-records-store.ts'
import { createPluginCursors, createPluginStorage } from '../store/plugins/plugin-storage-store.ts'

export type PluginSettings = Config['plugins'] & {
  /** The address of this instance, which plugins get with events. */
  readonly siteUrl: () => string
}

export type WorkerPlugins = {
  readonly runtime: PluginRuntime
  /** Starts jobs and scheduled tasks. Events of `posthog.capture` go to `route`. */
  start(routes: PluginRoutes): void
  /** Hands the events that wait for plugins to the sink. Must end before the sink closes. */
  close(deadlineMs: number): Promise<void>
}

/** Access of plugins to projects. Projects are built after plugins, so `start` hands it over. */
export type PluginRoutes = {
  readonly route: IngestRoute
  readonly anonymizesIps: (project: number) => Promise<boolean>
}

export type WorkerPluginsDeps = {
  readonly sql: Sql
  readonly feed: Pick<ChangeFeed, 'publish'>
  readonly sink: EventSink
  readonly memberId: string
  readonly mail: MailSettings | undefined
  readonly secrets: KeyRing
  readonly warnings: Pick<WarningCounts, 'loseAll'>
  readonly clock: Clock
  readonly log: Log
}

/** The share of the closing time that the runtime gets after the jobs have ended. */
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
  const routes = createLateRoutes()
  let closing: Promise<void> | undefined
  const capture = createPluginCapture({
    clock,
    newUuid: createUuidV7(clock.now),
    anonymizesIps: (project) => routes.now().anonymizesIps(project),
    // Events that plugins capture during the close are stored unchanged.
    onLost: deps.warnings.loseAll,
    submit: (batch) => (closing ? sink.submit(batch) : routes.now().route.ingest(batch)),
    records,
  })
  const runtime = createRuntime(deps, settings, { geo, records, states, capture })
  const abort = new AbortController()
  // Every job and every task that waits for another attempt listens. The runners bound their
  // number.
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
      routes.set(given)
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

function createRuntime(
  deps: WorkerPluginsDeps,
  settings: PluginSettings,
  parts: {
    readonly geo: Geo
    readonly records: PluginRecords
    readonly states: PluginStates
    readonly capture: PluginCapture
  },
): PluginRuntime {
  const { sql, sink, clock, log } = deps
  const { geo, records, states, capture } = parts
  const locate = async (ip: string) => geo.locate(ip)
  return createPluginRuntime(
    {
      loaders: {
        source: createSandboxLoader(
          { clock, log, compile: createSourceCompiler() },
          {
            processMs: settings.processMs,
            memoryBytesMax: settings.memoryBytesMax,
            cpu: settings.cpu,
          },
        ),
        builtin: createBuiltinLoader({ clock }),
      },
      loadDefinitions: (project, ids) => loadPluginDefinitions(sql, deps.secrets, project, ids),
      loadPlan: (project) => loadPluginPlan(sql, project),
      hostOf: createHosts(deps, settings, { geo, records, capture }),
      dryHostOf: (definition, onLog) => createDryHost({ clock, locate }, definition, onLog),
      records,
      states,
      delivery: createPluginDelivery({ records, clock, log, random: Math.random }),
      sink,
      onLost: deps.warnings.loseAll,
      clock,
      log,
    },
    { siteUrl: settings.siteUrl },
  )
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

export function allowed({ fetchPrivate }: Pick<PluginSettings, 'fetchPrivate'>): AllowsAddress {
  const ranges = addressRanges(fetchPrivate)
  assert(ranges.ok, 'the config has checked the ranges')
  return (address) => isForeignAddress(address) || ranges.value(address)
}

/** Holds the routes of plugins, which `start` sets. */
function createLateRoutes() {
  let routes: PluginRoutes | undefined
  return {
    set(given: PluginRoutes) {
      routes = given
    },
    now(): PluginRoutes {
      if (routes === undefined) throw new Error('plugins run before their worker')
      return routes
    },
  }
}
