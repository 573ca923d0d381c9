/** Bounds of calls about users, with their units. */

/** Hours in which an address may be confirmed by the token that was sent there. */
export const EMAIL_TOKEN_HOURS = 24
/** Mails a day, in UTC, that one user may have sent to addresses that they ask for. */
export const EMAIL_CHANGES_PER_DAY_MAX = 10
/** Days after which a session ends that is not used, and after which every session ends. */
export const SESSION_IDLE_DAYS = 7
export const SESSION_DAYS = 30
/** Sessions of one user: a further one ends the one that was used the longest ago. */
export const SESSIONS_MAX = 50
/** Minutes in which a login link signs its user in. */
export const LOGIN_LINK_MINUTES = 15
/** Days that an expired login link is kept, so that its user is told why it fails. */
export const LOGIN_LINK_KEPT_DAYS = 1
/** Failed sign-ins from one network or one known browser, and their window in milliseconds. */
export const LOGIN_TRIES_MAX = 5
export const LOGIN_TRIES_MS = 60_000
/** Tries from one network that wait for the outcome of others. */
export const LOGIN_TRIES_WAITING_MAX = 100
/**
 * Failed sign-ins for one mail address, from all networks in the same time, above which each
 * further one is delayed by one more step, up to the longest delay. None is refused, or anyone who
 * knows the address could keep its user out.
 */
export const LOGIN_MAIL_TRIES_MAX = 50
export const LOGIN_DELAY_STEP_MS = 100
export const LOGIN_DELAY_MS_MAX = 5_000
/** Days that a browser is known by its cookie, after it has signed a user in. */
export const KNOWN_BROWSER_DAYS = 180
/** Beginnings of refused keys that a worker counts apart at a time; the others count together. */
export const REFUSED_PREFIXES_MAX = 20
