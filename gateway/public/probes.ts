/**
 * Answers of the HTTP port to balancers and to people who open the address: whether this process
 * runs (`/_livez`) and can serve (`/_readyz`, `/_health`), and a page at `/`. Why it cannot is said
 * on the admin port alone.
 */
import { createHash } from 'node:crypto'
import type { HttpReply, HttpRequest } from '../http/http-server.ts'

/** Answers one request of a probe or for the page; `undefined` for other paths. */
export type Probes = (request: HttpRequest) => HttpReply | undefined

/** @param unready the reasons why requests cannot be served now; empty when they can. */
export function createProbes(unready: () => readonly string[]): Probes {
  const ready = () =>
    unready().length === 0 ? statusReply(200, 'ok') : statusReply(503, 'unready')
  const answers = new Map<string, () => HttpReply>([
    ['/', () => PAGE],
    ['/_livez', () => statusReply(200, 'ok')],
    ['/_readyz', ready],
    ['/_health', ready],
  ])
  return ({ path, method }) => {
    const answer = answers.get(path.replace(/(?<=[^/])\/$/, ''))
    if (answer === undefined) return undefined
    if (method === 'GET' || method === 'HEAD') return answer()
    return { status: 405, headers: [['allow', 'GET, HEAD'], ...PLAIN], body: '' }
  }
}

const PLAIN = [
  ['cache-control', 'no-store'],
  ['x-content-type-options', 'nosniff'],
] as const

function statusReply(status: number, text: string): HttpReply {
  const retry: readonly (readonly [string, string])[] = status === 503 ? [['retry-after', '2']] : []
  const headers = [['content-type', 'application/json'] as const, ...PLAIN, ...retry]
  return { status, headers, body: JSON.stringify({ status: text }) }
}

const STYLE = `
:root { color-scheme: light dark }
body { font: 16px/1.5 system-ui, sans-serif; max-width: 34rem; margin: 4rem auto; padding: 0 1rem }
dt { margin-top: 1rem; font-weight: 600 }
dd { margin: 0 }
code { background: #8883; border-radius: .2rem; padding: .1rem .3rem; overflow-wrap: anywhere }
`

const HTML = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Sluice</title>
<style>${STYLE}</style>
<h1>Sluice is running</h1>
<p>This address takes the events of your apps and answers which feature flags are on.</p>
<dl>
<dt>Send events</dt>
<dd>Point a PostHog client at this address, with the API key of your project.</dd>
<dt>Ask for events, flags and everything else</dt>
<dd>Call the API with a personal API key. <a href="api/docs/">Its reference</a>,
<a href="api/schema/">its OpenAPI description</a> and <a href="api/client/">a client for TypeScript</a>
are here.</dd>
<dt>Look for keys</dt>
<dd>On the machine of this server, <code>npx sluice admin show</code> lists projects and their keys.</dd>
<dt>Watch this instance</dt>
<dd><a href="_readyz"><code>/_readyz</code></a> says whether it can serve.</dd>
</dl>
</html>
`

const PAGE: HttpReply = {
  status: 200,
  headers: [
    ['content-type', 'text/html; charset=utf-8'],
    ['referrer-policy', 'no-referrer'],
    [
      'content-security-policy',
      [
        "default-src 'none'",
        // For code typed into the browser's console here, such as the sample of docs/CALLING.md.
        "script-src 'self'",
        "connect-src 'self'",
        `style-src 'sha256-${createHash('sha256').update(STYLE).digest('base64')}'`,
        "base-uri 'none'",
        "form-action 'none'",
        "frame-ancestors 'none'",
      ].join('; '),
    ],
    ...PLAIN,
  ],
  body: HTML,
}
