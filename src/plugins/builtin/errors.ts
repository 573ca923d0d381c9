/** Thrown by a built-in plugin whose call is to be repeated later. */
export class RetryError extends Error {
  override readonly name = 'RetryError'
}

/** A setting cannot be used. The message never has its value. */
export class SettingError extends Error {
  override readonly name = 'SettingError'
}

/** A call was cut off when its time was up. */
export class TimeoutError extends Error {
  override readonly name = 'TimeoutError'
}
