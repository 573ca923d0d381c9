/** Bounds of plugins that several parts share. */
import { assert } from '../code.ts'

/** One call of `processEvent`: default, and the most that the setting may be. */
export const PLUGIN_PROCESS_MS = 5_000
export const PLUGIN_PROCESS_MS_MAX = 30_000
/** One call of anything else. */
export const PLUGIN_CALL_MS = 30_000
/** Memory of one sandbox: heap, stack and the interpreter itself. */
export const SANDBOX_MEMORY_BYTES_MAX = 103_809_024
/** One event after a step, as JSON text. */
export const PLUGIN_EVENT_CHARS_MAX = 1_048_576
/** Time after which an idle thread of a sandbox ends. */
export const SANDBOX_IDLE_MS = 300_000
/** Longest wait of a gateway for events that plugins take first. */
export const PLUGIN_INGEST_MS = 20_000
/** Bytes of received events of one project that wait for its plugins. */
export const PLUGIN_WAITING_BYTES_MAX = 8_388_608
/** Events handed to a step at a time. */
export const PLUGIN_BATCH_EVENTS_MAX = 128
/** Failures in a row that disable a config. */
export const PLUGIN_FAILURES_MAX = 20
/** Time-outs within `PLUGIN_TIMEOUTS_MS` that disable a config. */
export const PLUGIN_TIMEOUTS_MAX = 3
/** Pause before the retry of a `RetryError`, which doubles; calls in all. */
export const PLUGIN_RETRY_MS = 5_000
export const PLUGIN_ATTEMPTS_MAX = 5
/** Characters of a log message. */
export const PLUGIN_LOG_CHARS_MAX = 50_000
/** Log entries a second of one config. */
export const PLUGIN_LOG_PER_S_MAX = 100
/** Jobs waiting in `sluice plugin test`. */
export const PLUGIN_TRIAL_JOBS_MAX = 100
/** Storage of one config: UTF-8 of a value as JSON text. */
export const PLUGIN_STORAGE_VALUE_BYTES_MAX = 1_048_576
/** UTF-8 of a job's payload as JSON text. */
export const PLUGIN_JOB_PAYLOAD_BYTES_MAX = 65_536
/** Years from now to the time of a job. */
export const PLUGIN_JOB_YEARS_AHEAD_MAX = 10
/** Jobs of one project that a worker takes at once. */
export const PLUGIN_JOBS_OF_PROJECT_MAX = 4
/** Age at which a due job that cannot run is deleted. */
export const PLUGIN_JOB_KEPT_HOURS = 24
/** Longest wait of an ending worker for its jobs and scheduled tasks under way. */
export const PLUGIN_RUNNERS_STOP_MS = 5_000
/** `fetch` of plugins: bytes of a request's body, and of an answer's, decoded or not. */
export const PLUGIN_FETCH_BYTES_MAX = 1_048_576
/** Bytes of the headers of a `fetch`, and of its answer. */
export const PLUGIN_FETCH_HEADER_BYTES_MAX = 16_384
/** Characters of names that plugins choose: storage keys, and jobs. */
export const PLUGIN_KEY_CHARS_MAX = 200
export const PLUGIN_JOB_NAME_CHARS_MAX = 200
/** Bytes of events of one config that wait for delivery. */
export const PLUGIN_DELIVERY_BYTES_MAX = 16_777_216
/** Bytes waiting in one worker above which no config may exceed its own bound. */
export const PLUGIN_DELIVERY_LARGE_BYTES_MAX = 134_217_728
/** Largest buffer of exports that a config may ask for. */
export const PLUGIN_EXPORT_BUFFER_BYTES_MAX = 104_857_600
/** Characters of the message of a shown `error`. */
export const PLUGIN_ERROR_MESSAGE_CHARS_MAX = 2_000
/** Characters of the stack of a shown `error`. */
export const PLUGIN_ERROR_STACK_CHARS_MAX = 8_000
/** Characters of the JSON text of a sandbox's answer. */
export const SANDBOX_ANSWER_CHARS_MAX = 16_777_216

assert(PLUGIN_PROCESS_MS <= PLUGIN_PROCESS_MS_MAX, 'the default is allowed')
assert(
  PLUGIN_TIMEOUTS_MAX * PLUGIN_PROCESS_MS < PLUGIN_INGEST_MS,
  'a config that hangs is disabled before its clients give up',
)
assert(
  PLUGIN_EXPORT_BUFFER_BYTES_MAX < PLUGIN_DELIVERY_LARGE_BYTES_MAX,
  'the largest buffer fits while nothing else waits',
)
assert(
  PLUGIN_EVENT_CHARS_MAX < SANDBOX_ANSWER_CHARS_MAX,
  'an event of the largest size fits into an answer',
)
