/** Bounds of what users ask for about themselves and each other, with their units. */

/** Hours in which an address may be confirmed by the token that was sent there. */
export const EMAIL_TOKEN_HOURS = 24
/** Mails a day, in UTC, that one user may have sent to addresses that they ask for. */
export const EMAIL_CHANGES_PER_DAY_MAX = 10
/** Beginnings of refused keys that a worker counts apart at a time; the others count together. */
export const REFUSED_PREFIXES_MAX = 20
