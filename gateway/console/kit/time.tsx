import { formatAgo, formatTime, formatUtc } from '../data/format.ts'
import { currentProject } from '../data/projects.ts'
import { now } from '../data/timers.ts'

type TimeProps = {
  /** ISO 8601, or milliseconds since the epoch. */
  readonly value: string | number
  /** @default 'time' */
  readonly as?: 'time' | 'ago'
}

/** A time in the project's zone, with a tooltip in UTC. */
export function Time({ value, as = 'time' }: TimeProps) {
  const zone = currentProject()?.timezone ?? 'UTC'
  return (
    <time class="time" dateTime={new Date(value).toISOString()} title={formatUtc(value)}>
      {as === 'ago' ? formatAgo(value, now()) : formatTime(value, zone)}
    </time>
  )
}
