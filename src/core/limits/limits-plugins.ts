/** Bounds of running plugins, with their units. */
import { assert } from '../code.ts'

/** One call of `processEvent`: default, and the most that the setting may be. */
export const PLUGIN_PROCESS_MS = 5_000
export const PLUGIN_PROCESS_MS_MAX = 30_000
/** One call of anything else. */
export const PLUGIN_CALL_MS = 30_000
/** Memory of one sandbox: heap, stack and the interpreter itself. */
export const SANDBOX_HEAP_BYTES_MAX = 67_108_864
export const SANDBOX_MEMORY_BYTES_MAX = 103_809_024
export const SANDBOX_STACK_BYTES_MAX = 524_288
/** Memory of all sandboxes of one worker, unless the setting says otherwise. */
export const SANDBOXES_BYTES_MAX = 2_147_483_648
/** One event after a step, as JSON text. */
export const PLUGIN_EVENT_CHARS_MAX = 1_048_576
/** Threads of one worker, each for one project; an idle one ends after this time. */
export const SANDBOX_THREADS_MAX = 32
export const SANDBOX_IDLE_MS = 300_000
/** Longest wait of a gateway for events that plugins take first. */
export const PLUGIN_INGEST_MS = 20_000
/** Such calls of one project at a time, from one gateway to one worker. */
export const PLUGIN_CALL_SLOTS = 2
/** Bytes of received events of one project that wait for its plugins. */
export const PLUGIN_WAITING_BYTES_MAX = 8_388_608
/** Events handed to a step at a time. */
export const PLUGIN_BATCH_EVENTS_MAX = 128

/** So many failures in a row, or time-outs within the time, disable a config. */
export const PLUGIN_FAILURES_MAX = 20
export const PLUGIN_TIMEOUTS_MAX = 3
export const PLUGIN_TIMEOUTS_MS = 300_000
/** Pause before the retry of a `RetryError`, which doubles; calls in all. */
export const PLUGIN_RETRY_MS = 5_000
export const PLUGIN_ATTEMPTS_MAX = 5
/** The same for exports. */
export const PLUGIN_EXPORT_RETRY_MS = 6_000
export const PLUGIN_EXPORT_ATTEMPTS_MAX = 4

/** Characters of a log message, entries a second of one config, entries waiting of one worker. */
export const PLUGIN_LOG_CHARS_MAX = 50_000
export const PLUGIN_LOG_PER_S_MAX = 100
export const PLUGIN_LOG_WAITING_MAX = 10_000
/** Log entries and counts are written this often. */
export const PLUGIN_LOG_FLUSH_MS = 500
export const PLUGIN_COUNTS_FLUSH_MS = 20_000

/** Entries of a list setting of a built-in plugin, and characters of one entry. */
export const BUILTIN_LIST_MAX = 200
export const BUILTIN_ENTRY_CHARS_MAX = 400
/** Characters of a webhook's URL. */
export const BUILTIN_URL_CHARS_MAX = 2_048
/** Characters of a user agent that are looked at. */
export const BUILTIN_USER_AGENT_CHARS_MAX = 1_000
/** Hashes that one config of the property hasher remembers; characters of a text to hash. */
export const BUILTIN_HASHES_KEPT_MAX = 1_000
export const BUILTIN_HASHED_CHARS_MAX = 200
/** Records of a geo database that are kept decoded, and addresses whose place is remembered. */
export const GEO_RECORDS_KEPT_MAX = 10_000
export const GEO_ADDRESSES_KEPT_MAX = 10_000
/** No address is longer. */
export const GEO_ADDRESS_CHARS_MAX = 45

assert(PLUGIN_PROCESS_MS <= PLUGIN_PROCESS_MS_MAX, 'the default is allowed')
assert(
  PLUGIN_TIMEOUTS_MAX * PLUGIN_PROCESS_MS < PLUGIN_INGEST_MS,
  'a config that hangs is disabled before its clients give up',
)
assert(SANDBOX_HEAP_BYTES_MAX < SANDBOX_MEMORY_BYTES_MAX, 'the heap is within the memory')

/** Characters of events and logs in the answer to a dry run. */
export const PLUGIN_DRY_RUN_CHARS_MAX = 8_388_608
/** Bounds of `sluice plugin test`: log entries of one call; jobs waiting, and jobs run. */
export const PLUGIN_TRIAL_LOGS_MAX = 1_000
export const PLUGIN_TRIAL_JOBS_MAX = 100

/** Log entries waiting of one worker, in characters; entries and characters of one statement. */
export const PLUGIN_LOG_WAITING_CHARS_MAX = 8_388_608
export const PLUGIN_LOG_BATCH_ENTRIES_MAX = 1_000
export const PLUGIN_LOG_BATCH_CHARS_MAX = 1_048_576
/** Rows of counts waiting of one worker, and of one statement. */
export const PLUGIN_COUNTS_WAITING_MAX = 50_000
export const PLUGIN_COUNTS_BATCH_ROWS_MAX = 1_000
/** The error of a config as JSON text. */
export const PLUGIN_ERROR_CHARS_MAX = 65_536
/** Members who get a mail about one disabled config. */
export const PLUGIN_DISABLED_MAILS_MAX = 1_000

/** Storage of one config: keys, and the UTF-8 of a value as JSON text. */
export const PLUGIN_STORAGE_KEYS_MAX = 10_000
export const PLUGIN_STORAGE_VALUE_BYTES_MAX = 1_048_576

/** Jobs of one config that wait; UTF-8 of a payload as JSON text; how far ahead one may be. */
export const PLUGIN_JOBS_WAITING_MAX = 10_000
export const PLUGIN_JOB_PAYLOAD_BYTES_MAX = 65_536
export const PLUGIN_JOB_YEARS_AHEAD_MAX = 10
/** Jobs under way in one worker, and taken at once of one project. */
export const PLUGIN_JOBS_RUNNING_MAX = 16
export const PLUGIN_JOBS_OF_PROJECT_MAX = 4
/** Due jobs among which a worker chooses. */
export const PLUGIN_JOBS_WINDOW_ROWS = 1_000
export const PLUGIN_JOB_POLL_MS = 1_000
/** Lease of a job, after which another worker may take it; interval of renewals. */
export const PLUGIN_JOB_LEASE_MS = 60_000
export const PLUGIN_JOB_RENEW_MS = 15_000
/** Pause of a worker for the jobs of a config that it could not load. */
export const PLUGIN_JOB_REST_MS = 30_000
/** Configs that it leaves alone; of more, those it has left alone the longest are tried again. */
export const PLUGIN_JOB_RESTING_MAX = 1_000
/** Age at which a due job that cannot run is deleted; rows of one statement; interval. */
export const PLUGIN_JOB_KEPT_HOURS = 24
export const PLUGIN_JOB_SWEEP_ROWS = 1_000
export const PLUGIN_JOB_SWEEP_MS = 60_000
/** Attempts to write the outcome of a job, and the pause between them. */
export const PLUGIN_JOB_WRITES_MAX = 60
export const PLUGIN_JOB_WRITE_MS = 1_000

/** Scheduled tasks under way in one worker, and how often it looks for due ones. */
export const PLUGIN_SCHEDULES_RUNNING_MAX = 16
export const PLUGIN_SCHEDULE_POLL_MS = 2_000
/** A slot that is further ahead of the database's clock is the mistake of a worker's clock. */
export const PLUGIN_SCHEDULE_SKEW_S = 60
/** Attempts to use a plugin that is still being loaded, and the pause between them. */
export const PLUGIN_SCHEDULE_LOADS_MAX = 6
export const PLUGIN_SCHEDULE_LOAD_MS = 5_000
/** Longest wait of an ending worker for its jobs and scheduled tasks under way. */
export const PLUGIN_RUNNERS_STOP_MS = 5_000

assert(PLUGIN_JOB_RENEW_MS <= PLUGIN_JOB_LEASE_MS / 3, 'two renewals may fail')

/** `fetch` of plugins. Bytes of a request's body, and of an answer's, decoded or not. */
export const PLUGIN_FETCH_BYTES_MAX = 1_048_576
export const PLUGIN_FETCH_URL_CHARS_MAX = 8_192
/** Headers of a request, their bytes, and bytes of an answer's headers. */
export const PLUGIN_FETCH_HEADERS_MAX = 64
export const PLUGIN_FETCH_HEADER_BYTES_MAX = 16_384
export const PLUGIN_FETCH_REDIRECTS_MAX = 3
/** Requests under way, and those that wait, of one config and of one worker. */
export const PLUGIN_FETCH_CONFIG_MAX = 16
export const PLUGIN_FETCH_WORKER_MAX = 128
export const PLUGIN_FETCH_CONFIG_WAITING_MAX = 64
export const PLUGIN_FETCH_WORKER_WAITING_MAX = 512
/** Bytes of bodies that all of them send. */
export const PLUGIN_FETCH_WORKER_BYTES_MAX = 67_108_864
/** Names looked up at a time: each holds one of the process's four threads for such work. */
export const PLUGIN_FETCH_LOOKUPS_MAX = 2

/** `cache` of one plugin in one project: entries, bytes of all, of one, and items of a list. */
export const PLUGIN_CACHE_ENTRIES_MAX = 10_000
export const PLUGIN_CACHE_BYTES_MAX = 16_777_216
export const PLUGIN_CACHE_ENTRY_BYTES_MAX = 4_194_304
export const PLUGIN_CACHE_LIST_MAX = 1_000
export const PLUGIN_CACHE_KEY_CHARS_MAX = 1_024
/** Bytes of all caches of one worker. */
export const PLUGIN_CACHES_BYTES_MAX = 134_217_728

/** Events that one config captures in a second, and bytes of them not stored yet. */
export const PLUGIN_CAPTURES_PER_S_MAX = 100
export const PLUGIN_CAPTURE_WAITING_BYTES_MAX = 8_388_608
/** A captured event that is refused for now is sent again: calls in all, and the first wait. */
export const PLUGIN_CAPTURE_ATTEMPTS_MAX = 5
export const PLUGIN_CAPTURE_RETRY_MS = 1_000

/** Characters of names that plugins choose: storage keys, and jobs. */
export const PLUGIN_KEY_CHARS_MAX = 200
export const PLUGIN_JOB_NAME_CHARS_MAX = 200
/** Calls of one config that reach the database at a time, and those that wait. */
export const PLUGIN_STORE_CALLS_MAX = 4
export const PLUGIN_STORE_CALLS_WAITING_MAX = 256

/** Delivery to one config: calls of `onEvent` at a time, events and bytes that wait for them. */
export const PLUGIN_DELIVERY_CALLS_MAX = 64
export const PLUGIN_DELIVERY_EVENTS_MAX = 10_000
export const PLUGIN_DELIVERY_BYTES_MAX = 16_777_216
/** Bytes of all that waits in one worker; over the second, no config may exceed its own bound. */
export const PLUGIN_DELIVERY_WORKER_BYTES_MAX = 268_435_456
export const PLUGIN_DELIVERY_LARGE_BYTES_MAX = 134_217_728
/** Bytes that an event in memory takes beside its JSON text. */
export const PLUGIN_DELIVERY_OVERHEAD_BYTES = 512
/** Interval of logging dropped events; longest wait of an unload for events under way. */
export const PLUGIN_DROP_NOTE_MS = 60_000
export const PLUGIN_UNLOAD_MS = 30_000
/** The buffer of `exportEvents`: its defaults, and the most that settings may ask for. */
export const PLUGIN_EXPORT_BUFFER_BYTES = 1_048_576
export const PLUGIN_EXPORT_BUFFER_BYTES_MAX = 104_857_600
export const PLUGIN_EXPORT_BUFFER_S = 10
export const PLUGIN_EXPORT_BUFFER_S_MAX = 600

assert(PLUGIN_CACHE_ENTRY_BYTES_MAX <= PLUGIN_CACHE_BYTES_MAX, 'an entry fits into its cache')
assert(PLUGIN_CACHE_BYTES_MAX <= PLUGIN_CACHES_BYTES_MAX, 'a cache fits into all of them')
assert(
  PLUGIN_EXPORT_BUFFER_BYTES_MAX < PLUGIN_DELIVERY_LARGE_BYTES_MAX,
  'the largest buffer fits while nothing else waits',
)

/** Longest wait of events for a plugin that is being loaded; then they continue without it. */
export const PLUGIN_FIRST_LOAD_MS = 5_000
/** Pause before a definition is read again after a failure. */
export const PLUGIN_DEFINITION_RETRY_MS = 1_000
/** Bytes of received events of all projects that wait for plugins. */
export const PLUGIN_WAITING_TOTAL_BYTES_MAX = 134_217_728
/** Plugins loaded in one worker; idle ones are looked for this often. */
export const PLUGIN_INSTANCES_MAX = 256
export const PLUGIN_IDLE_SWEEP_MS = 30_000
/** `error` of a config is written at most once in this time. */
export const PLUGIN_ERROR_WRITE_MS = 1_000
/** Characters of a shown `error`. */
export const PLUGIN_ERROR_MESSAGE_CHARS_MAX = 2_000
export const PLUGIN_ERROR_STACK_CHARS_MAX = 8_000
export const PLUGIN_ERROR_EVENT_CHARS_MAX = 16_384
/** Dry runs at a time, and log entries kept of one step. */
export const PLUGIN_DRY_RUNS_MAX = 4
export const PLUGIN_DRY_LOGS_MAX = 200

assert(PLUGIN_FIRST_LOAD_MS < PLUGIN_INGEST_MS, 'a load that takes long is not waited for in vain')

/** Sandboxes of one project, all on its thread. */
export const SANDBOX_PER_PROJECT_MAX = 64
/** A thread's own heap and stack: texts on their way, and the interpreter's recursion. */
export const SANDBOX_THREAD_HEAP_MIB = 256
export const SANDBOX_THREAD_STACK_MIB = 16
/** Time after its budget at which a thread without an answer is ended; interval of looking. */
export const SANDBOX_GRACE_MS = 1_000
export const SANDBOX_WATCH_MS = 250
/** Events handed to a sandbox at a time, and its answer, as JSON text. */
export const SANDBOX_BATCH_CHARS_MAX = 1_048_576
export const SANDBOX_ANSWER_CHARS_MAX = 16_777_216
/** Input of any other call as JSON text: parsed, it must fit into the heap. */
export const SANDBOX_CALL_CHARS_MAX = 8_388_608
/** Bytes that a plugin compresses, inflates, hashes or converts in one call. */
export const SANDBOX_BYTES_MAX = 8_388_608
/** Calls to the server of one sandbox: open, under way, in a second; one as JSON text, all open. */
export const SANDBOX_HOST_CALLS_MAX = 1_000
export const SANDBOX_HOST_CALLS_RUNNING_MAX = 16
export const SANDBOX_HOST_CALLS_PER_S_MAX = 2_000
export const SANDBOX_HOST_CALL_CHARS_MAX = 1_048_576
export const SANDBOX_HOST_CALLS_CHARS_MAX = 16_777_216
/** An answer of the server to a plugin, as JSON text: a fetched body in base64 and its headers. */
export const SANDBOX_HOST_ANSWER_CHARS_MAX = 2_097_152
/** Sources that wait for a compiler, and compiled ones kept, in characters. */
export const PLUGIN_SOURCES_WAITING_MAX = 1_000
export const PLUGIN_SOURCES_KEPT_CHARS_MAX = 16_777_216

assert(
  PLUGIN_EVENT_CHARS_MAX < SANDBOX_ANSWER_CHARS_MAX,
  'an event of the largest size fits into an answer',
)

/** CPU budget of an organization's sandboxes in a worker: processors, and burst in ms. */
export const PLUGIN_CPU_SHARE = 1
export const PLUGIN_CPU_BURST_MS = 30_000
