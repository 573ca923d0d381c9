/**
 * Session recording settings for browser libraries. Recordings themselves are not accepted: their
 * route refuses them.
 */
import type { HttpRequest } from '../http/http-server.ts'
import type { GatewayProject } from '../keys/gateway-project.ts'

/** Whether sessions are recorded, and whether what pages log is part of it. */
export type Recording = 'off' | 'on' | 'with_console'

/** Value of `sessionRecording` in an answer. */
export const RECORDING_FIELDS: Readonly<Record<Recording, object | false>> = {
  off: false,
  on: recordingField(false),
  with_console: recordingField(true),
}

function recordingField(consoleLogRecordingEnabled: boolean): object {
  return { endpoint: '/s/', consoleLogRecordingEnabled, recorderVersion: 'v2' }
}

/** The route that the answer above names. */
export function isRecordingPath(path: string): boolean {
  return path === '/s/' || path === '/s'
}

/**
 * A project that opted in records pages of its domains, and those of any host where it names none.
 * A page is known by its `Origin` or its `Referer`.
 */
export function recordingFor(project: GatewayProject | undefined, request: HttpRequest): Recording {
  const asked = project?.sessionRecording
  if (asked === undefined || !isOfDomains(asked.domains, request)) return 'off'
  return asked.consoleLog ? 'with_console' : 'on'
}

function isOfDomains(domains: readonly string[], request: HttpRequest): boolean {
  if (domains.length === 0) return true
  const pages = [request.header('origin'), request.header('referer')]
  const hosts = pages.flatMap((address) => hostOf(address ?? '') ?? [])
  return domains.some((domain) => {
    const pattern = hostOf(domain)
    return pattern !== undefined && hosts.some((host) => fits(host, pattern))
  })
}

const ADDRESS = /^[a-z][a-z0-9+.-]*:\/\/(?:[^/?#@]*@)?(\[[^\]/?#]*\]|[^/?#:]*)/i

/** Host of a web address; undefined for a text without a scheme. */
function hostOf(address: string): string | undefined {
  const host = ADDRESS.exec(address)?.[1]?.toLowerCase()
  return host === '' ? undefined : host
}

/** Whether the host matches the pattern, in which `*` is any text. */
function fits(host: string, pattern: string): boolean {
  const [first = '', ...rest] = pattern.split('*')
  const last = rest.pop()
  if (last === undefined) return host === pattern
  if (!host.startsWith(first)) return false
  let at = first.length
  for (const part of rest) {
    const found = host.indexOf(part, at)
    if (found < 0) return false
    at = found + part.length
  }
  return host.length - last.length >= at && host.endsWith(last)
}
