/** Why a call is refused before its handler hears of it, for those who count. */

export type RefusedFor =
  /** Who calls: no key, a wrong one, or nobody can tell. */
  | 'caller'
  /** The length of a message. */
  | 'size'
  /** The elements that a message holds. */
  | 'elements'
  /** A request that does not come in time. */
  | 'time'
  /** Too many calls, or too many bytes of them. */
  | 'room'
  /** What is no request of the call: compressed, several messages, or no message of it. */
  | 'form'

/** @param path of the call. */
export type OnRefused = (reason: RefusedFor, path: string) => void
