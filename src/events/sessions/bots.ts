/** Bots, by the user agents that they send. */
import { isbot } from 'isbot'

/** Whether a user agent is that of a bot; one that is not sent is none. */
export function isBot(userAgent: string | undefined): boolean {
  return userAgent !== undefined && userAgent !== '' && isbot(userAgent)
}
