import { shared } from './shared.ts'

/** Call that the page on screen has made, which "Copy as curl" copies. */
export type Call = {
  readonly verb: string
  /** With its query. */
  readonly path: string
  /** The JSON that was sent; undefined for none. */
  readonly body?: string | undefined
}

const CALLS_MAX = 20
/** Calls of the shell itself, and calls that follow a change. */
const OF_SHELL = /^\/api\/(?:session|login|logout|projects\/?(?:\?|$)|.*\/propagation\/)/

/** The newest last. */
export const calls = shared<readonly Call[]>([])

export function noteCall(call: Call): void {
  if (OF_SHELL.test(call.path)) return
  const others = calls.value.filter((each) => each.verb !== call.verb || each.path !== call.path)
  calls.value = [...others, call].slice(-CALLS_MAX)
}

/** Empties the list for a new page. */
export function forgetCalls(): void {
  calls.value = []
}

/** Shell command of a call. The user fills in a key: a session's cookie is never shown. */
export function curlOf({ verb, path, body }: Call, origin: string): string {
  const parts = [`curl ${quoted(origin + path)}`, '-H "Authorization: Bearer $SLUICE_KEY"']
  if (verb !== 'GET' && !(verb === 'POST' && body !== undefined)) parts.splice(1, 0, `-X ${verb}`)
  if (body !== undefined) parts.push("-H 'Content-Type: application/json'", `-d ${quoted(body)}`)
  return parts.join(' \\\n  ')
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`
}
