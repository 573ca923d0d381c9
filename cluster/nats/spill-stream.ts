/** The JetStream stream of the spill and its consumer: made, checked, resized. */
import {
  AckPolicy,
  DeliverPolicy,
  DiscardPolicy,
  type JetStreamManager,
  NatsError,
  nanos,
  RetentionPolicy,
  StorageType,
  type StreamConfig,
  type StreamInfo,
} from 'nats'
import { AppError } from '../../src/core/code.ts'
import { SPILL_DUPLICATES_MS } from '../../src/core/limits/limits.ts'
import type { Log } from '../../src/core/log.ts'
import { natsFailure, unavailable } from './nats-errors.ts'

/** Messages handed out and not acknowledged, over all workers. */
const SPILL_ACK_PENDING_MAX = 1_024

export type SpillStreamSettings = {
  readonly stream: string
  readonly subject: string
  /** Name of the durable consumer: it remembers its deliveries when its readers end. */
  readonly consumer: string
  readonly bytesMax: number
  readonly replicas: number
  readonly ackWaitMs: number
}

/**
 * Makes the stream and its consumer when they are missing, and checks their settings otherwise.
 * @throws {AppError} `failed_precondition` when the stream has settings under which events could be
 * lost, or cannot have the requested ones; `unavailable`.
 */
export async function ensureSpillStream(
  manager: JetStreamManager,
  settings: SpillStreamSettings,
  log: Log,
): Promise<StreamInfo> {
  const { stream } = settings
  const info = (await findStream(manager, stream)) ?? (await addStream(manager, settings))
  checkSettings(info.config, settings)
  await fitBytesMax(manager, info, settings, log)
  await attempt(`making the consumer of stream ${stream}`, () =>
    // An existing consumer adopts these settings.
    manager.consumers.add(stream, {
      durable_name: settings.consumer,
      ack_policy: AckPolicy.Explicit,
      deliver_policy: DeliverPolicy.All,
      ack_wait: nanos(settings.ackWaitMs),
      max_ack_pending: SPILL_ACK_PENDING_MAX,
    }),
  )
  return info
}

/** @returns `undefined` when there is no such stream. @throws {AppError} `unavailable`. */
export async function findStream(
  manager: JetStreamManager,
  stream: string,
): Promise<StreamInfo | undefined> {
  try {
    return await manager.streams.info(stream)
  } catch (error) {
    if (natsFailure(error) === 'no_stream') return undefined
    throw unavailable(`state of stream ${stream}`, error)
  }
}

/**
 * True when the stream holds messages that its consumer counts as done: all were handed out, and no
 * acknowledgement is pending. The consumer is read first: by the time the stream is read, messages
 * that were done have left it, unless the removal was lost.
 * @throws {AppError} `unavailable`.
 */
export async function hasForgotten(
  manager: JetStreamManager,
  { stream, consumer }: SpillStreamSettings,
): Promise<boolean> {
  const { num_pending, num_ack_pending, delivered } = await attempt('state of the consumer', () =>
    manager.consumers.info(stream, consumer),
  )
  if (num_pending > 0 || num_ack_pending > 0) return false
  const info = await findStream(manager, stream)
  if (info === undefined) return false
  return info.state.messages > 0 && info.state.last_seq <= delivered.stream_seq
}

/** @throws {AppError} `unavailable`. */
export async function removeConsumer(
  manager: JetStreamManager,
  { stream, consumer }: SpillStreamSettings,
): Promise<void> {
  await attempt(`removing the consumer of stream ${stream}`, () =>
    manager.consumers.delete(stream, consumer),
  )
}

/** The settings that the stream must have, apart from its name and size. */
function wantedConfig({ subject, replicas }: SpillStreamSettings) {
  return {
    subjects: [subject],
    // A message leaves the stream only when it is acknowledged: not by age, not for a newer one.
    retention: RetentionPolicy.Workqueue,
    discard: DiscardPolicy.New,
    max_age: 0,
    max_msgs: -1,
    max_msg_size: -1,
    storage: StorageType.File,
    duplicate_window: nanos(SPILL_DUPLICATES_MS),
    num_replicas: replicas,
  } satisfies Partial<StreamConfig>
}

function addStream(manager: JetStreamManager, settings: SpillStreamSettings): Promise<StreamInfo> {
  const { stream: name, bytesMax } = settings
  return attempt(`making stream ${name}`, async () => {
    try {
      return await manager.streams.add({ name, ...wantedConfig(settings), max_bytes: bytesMax })
    } catch (error) {
      // Another member may have made it first, with other settings: they are checked.
      const found = await findStream(manager, name)
      if (found === undefined) throw error
      return found
    }
  })
}

function checkSettings(config: StreamConfig, settings: SpillStreamSettings): void {
  const wrong: string[] = []
  for (const [name, wanted] of Object.entries(wantedConfig(settings))) {
    const found: unknown = Reflect.get(config, name)
    if (String(found) !== String(wanted)) wrong.push(`${name} ${found} instead of ${wanted}`)
  }
  if (wrong.length === 0) return
  const { stream } = settings
  const fix = `empty it (sluice spill drain) and remove it (nats stream rm ${stream}), or change it`
  const detail = `NATS stream ${stream} has ${wrong.join(', ')}: ${fix}`
  throw new AppError('failed_precondition', detail)
}

/**
 * Resizes the stream. Servers (2.9.10) drop the oldest messages of a stream that becomes smaller
 * than its content, even when it is to refuse new ones instead. So the stream shrinks only while it
 * is at most half full, because other members put messages meanwhile.
 */
async function fitBytesMax(
  manager: JetStreamManager,
  { config, state }: StreamInfo,
  { stream, bytesMax }: SpillStreamSettings,
  log: Log,
): Promise<void> {
  if (config.max_bytes === bytesMax) return
  const isLarger = config.max_bytes > 0 && bytesMax > config.max_bytes
  if (!isLarger && 2 * state.bytes > bytesMax) {
    log.warn('spill holds too much to be made smaller now', {
      stream,
      bytes: state.bytes,
      bytesMax,
    })
    return
  }
  await attempt(`size of stream ${stream}`, () =>
    manager.streams.update(stream, { max_bytes: bytesMax }),
  )
}

async function attempt<T>(what: string, run: () => Promise<T>): Promise<T> {
  try {
    return await run()
  } catch (error) {
    if (error instanceof AppError) throw error
    const refusal = error instanceof NatsError ? error.api_error : undefined
    if (refusal === undefined || refusal.code === 503) throw unavailable(what, error)
    const detail = `NATS refuses ${what}: ${refusal.description}`
    throw new AppError('failed_precondition', detail, { cause: error })
  }
}
