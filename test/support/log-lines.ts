/** A log whose lines the test reads. */
import { createLog, type Log } from '../../src/core/log.ts'

type LogLine = Readonly<Record<string, unknown>>

/** A log that a test reads: one object a line, `message` and the fields. */
export function createLogLines(): { readonly log: Log; all(): readonly LogLine[] } {
  const lines: LogLine[] = []
  const write = (text: string) => {
    lines.push(JSON.parse(text))
  }
  return { log: createLog({ level: 'info' }, { write }), all: () => lines }
}
