import { formatTime, formatUtc } from '../data/format.ts'
import { currentProject } from '../data/projects.ts'

/** A time in the project's zone, and in UTC when it is pointed at. */
export function Time({ value }: { readonly value: string | number }) {
  const zone = currentProject.value?.timezone ?? 'UTC'
  return (
    <time class="time" dateTime={new Date(value).toISOString()} title={formatUtc(value)}>
      {formatTime(value, zone)}
    </time>
  )
}
