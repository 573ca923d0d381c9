/** Reasons to refuse a call before its handler is called; for metrics. */

export type RefusedFor =
  /** Caller: no key, a wrong one, or one that cannot be checked now. */
  | 'caller'
  /** The length of a message. */
  | 'size'
  /** The elements that a message holds. */
  | 'elements'
  /** A request that does not arrive in time. */
  | 'time'
  /** Too many calls, or too many bytes of them. */
  | 'room'
  /** Malformed request: compressed, several messages, or no message of the call's type. */
  | 'form'

/** @param path of the call. */
export type OnRefused = (reason: RefusedFor, path: string) => void
