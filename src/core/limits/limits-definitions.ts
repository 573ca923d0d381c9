/** Bounds for event definitions: their volumes, and messages to chats. */
import { assert } from '../code.ts'
import { PLUGIN_FETCH_MS } from './limits.ts'

/** Interval of adding up the event volumes of a project that is being looked at. */
export const VOLUMES_EVERY_MS = 1_000
/** The time for one such sum. */
export const VOLUMES_MS_MAX = 1_000
/** Projects of which a worker remembers when their volumes were summed up. */
export const LOOKED_PROJECTS_MAX = 10_000
/** Interval of looking for due messages. */
export const CHAT_POLL_MS = 2_000
/** Interval of looking for new event names: a project gets one message for all of them. */
export const CHAT_NEWS_MS = 5_000
/** Messages that a worker sends at the same time. */
export const CHAT_SENDING_MAX = 20
/** Messages of one project that wait; further ones are dropped. */
export const CHAT_WAITING_MAX = 100
/**
 * Pause before the second attempt, on average a quarter less; each further one is three times as
 * long.
 */
export const CHAT_RETRY_MS = 90_000
/** Attempts, over about a day. */
export const CHAT_ATTEMPTS_MAX = 8
/** New names of events that one turn takes. */
export const NEW_EVENTS_PER_TURN_MAX = 1_000
/** New names that one message spells out. */
export const NEW_EVENTS_NAMED_MAX = 10

assert(PLUGIN_FETCH_MS < CHAT_RETRY_MS / 2, 'a message must not be due while it is being sent')
