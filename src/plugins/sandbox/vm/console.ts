/** `console` inside a sandbox. */
import type { Kit } from './kit.ts'

/** Makes each call of `console` a log entry of the plugin. */
export function installConsole({ native, limits, define }: Kit): void {
  const { stringify } = JSON
  const show = (value: unknown): string => {
    if (typeof value === 'string') return value
    try {
      if (value instanceof Error) return `${value.name}: ${value.message}\n${value.stack}`
      const json = typeof value === 'object' ? stringify(value) : undefined
      return json ?? String(value)
    } catch {
      return Object.prototype.toString.call(value)
    }
  }
  const entry =
    (type: string) =>
    (...values: unknown[]) => {
      let text = ''
      for (let at = 0; at < values.length && text.length <= limits.logChars; at++) {
        text += (at === 0 ? '' : ' ') + show(values[at])
      }
      native.log(type, text.slice(0, limits.logChars))
    }
  define('console', {
    log: entry('LOG'),
    info: entry('INFO'),
    warn: entry('WARN'),
    error: entry('ERROR'),
    debug: entry('DEBUG'),
  })
}
