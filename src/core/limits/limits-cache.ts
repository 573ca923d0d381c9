/** Bounds of the decide cache that gateways share, and of talking to its server, with their units. */
import { assert } from '../code.ts'

/** Time for one batch of commands; later answers count as missing. */
export const REDIS_COMMAND_MS = 20
/** Time for deleting changed persons, which holds an acknowledgement up. */
export const REDIS_FORGET_MS = 50
/** Time from the first packet to knowing which server answers; then another attempt is made. */
export const REDIS_CONNECT_MS = 2_000
/** Half to all of this before the next attempt; doubles, up to the second. */
export const REDIS_RECONNECT_MS = 200
export const REDIS_RECONNECT_MAX_MS = 5_000
/** So many batches in a row that were late or failed, and no command is sent for a while. */
export const REDIS_FAILURES_MAX = 5
/** Duration of that pause: half to all of it; doubles with each failed probe, up to the second. */
export const REDIS_PAUSE_MS = 1_000
export const REDIS_PAUSE_MAX_MS = 10_000
/** Probes in a row that fail before the connection is given up for a new one. */
export const REDIS_PROBES_MAX = 3
/** Unanswered commands, in bytes with the overhead of each. */
export const REDIS_PENDING_BYTES_MAX = 16_777_216
/** Commands sent as one transaction: some 0.3 ms of the server. */
export const REDIS_BATCH_COMMANDS_MAX = 512

/** Lifetime of a person's cached answers, from the last one that was stored. */
export const DECIDE_ANSWER_TTL_MS = 300_000
/** Characters of an answer in Redis; a longer one is not kept there. */
export const DECIDE_ANSWER_CHARS_MAX = 65_536
/** Different questions kept for one person. */
export const DECIDE_QUESTIONS_MAX = 16
/** Distinct ids that one change deletes at most; and keys of one command: some 0.5 ms. */
export const DECIDE_FORGET_IDS_MAX = 8_192
export const DECIDE_FORGET_KEYS_MAX = 1_024
/** Projects of which it is remembered whether their answers read stored data. */
export const DECIDE_HINTS_MAX = 50_000

/** Time of a decide call that a hanging Redis may take; the rest is for the answer. */
const DECIDE_REDIS_MS_MAX = 50
assert(2 * REDIS_COMMAND_MS <= DECIDE_REDIS_MS_MAX, 'a look and its ticket leave time to answer')
assert(DECIDE_ANSWER_CHARS_MAX * 16 < REDIS_PENDING_BYTES_MAX, 'long answers fit into the queue')
assert(
  DECIDE_FORGET_IDS_MAX / DECIDE_FORGET_KEYS_MAX <= REDIS_BATCH_COMMANDS_MAX,
  'a change is deleted by one transaction',
)
