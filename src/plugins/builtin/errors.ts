/** Thrown by a built-in plugin that wants to be called again later with the same. */
export class RetryError extends Error {
  override readonly name = 'RetryError'
}

/** A setting cannot be used as it is. The message never holds its value. */
export class SettingError extends Error {
  override readonly name = 'SettingError'
}

/** A call was cut off at its budget of time. */
export class TimeoutError extends Error {
  override readonly name = 'TimeoutError'
}
