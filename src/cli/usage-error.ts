/** A command line or settings that make no sense: exit status 2. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}
