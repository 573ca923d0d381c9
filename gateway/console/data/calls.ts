import { signal } from '@preact/signals'

/** A call of the interface that the page on screen has made: what "Copy as curl" copies. */
export type Call = {
  readonly verb: string
  /** With its query. */
  readonly path: string
  /** The JSON that was sent; undefined for none. */
  readonly body?: string | undefined
}

const CALLS_MAX = 20
/** The shell's own calls, which no page is about, and what follows a change. */
const OF_SHELL = /^\/api\/(?:session|login|logout|projects\/?(?:\?|$)|.*\/propagation\/)/

/** The newest last. */
export const calls = signal<readonly Call[]>([])

export function noteCall(call: Call): void {
  if (OF_SHELL.test(call.path)) return
  const others = calls.value.filter((each) => each.verb !== call.verb || each.path !== call.path)
  calls.value = [...others, call].slice(-CALLS_MAX)
}

/** Another page begins. */
export function forgetCalls(): void {
  calls.value = []
}

/** A line for a shell. The key is the reader's own: a session's cookie is never shown. */
export function curlOf({ verb, path, body }: Call, origin: string): string {
  const parts = [`curl ${quoted(origin + path)}`, '-H "Authorization: Bearer $SLUICE_KEY"']
  if (verb !== 'GET' && !(verb === 'POST' && body !== undefined)) parts.splice(1, 0, `-X ${verb}`)
  if (body !== undefined) parts.push("-H 'Content-Type: application/json'", `-d ${quoted(body)}`)
  return parts.join(' \\\n  ')
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`
}
