/** Pages whose address holds a secret: a form, and a script that sends it to the API. */
import { createHash } from 'node:crypto'
import type { HttpReply, HttpRequest } from '../http/http-server.ts'

const STYLE = `
body { font: 16px/1.5 system-ui, sans-serif; max-width: 26rem; margin: 4rem auto; padding: 0 1rem }
label { display: block; margin: 1rem 0 }
input { display: block; width: 100%; box-sizing: border-box; font: inherit; padding: .4rem }
button { font: inherit; padding: .4rem 1rem }
code { display: block; word-break: break-all; background: #eee; color: #111; padding: .5rem }
[role=alert] { color: #b00020 }
`

export type SecretPage = {
  /** Of the whole path. */
  readonly path: RegExp
  readonly title: string
  /** HTML of ours: nothing of others is in it. */
  readonly body: string
  readonly script: string
}

/** Answers the requests of one page; `undefined` for other paths. It is the same for every secret. */
export function secretPage(page: SecretPage): (request: HttpRequest) => HttpReply | undefined {
  const { path: own, script } = page
  const headers = headersOf(script)
  const html = htmlOf(page)
  return ({ path, method }) => {
    if (!own.test(path)) return undefined
    if (method === 'GET' || method === 'HEAD') return { status: 200, headers, body: html }
    return { status: 405, headers: [['allow', 'GET, HEAD']], body: '' }
  }
}

function htmlOf({ title, body, script }: SecretPage): string {
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>${title}</title>
<style>${STYLE}</style>
${body}
<noscript>This page needs JavaScript.</noscript>
<script>${script}</script>
</html>
`
}

/** The page's address and content are secret: no referrer, no foreign resource, no cache. */
function headersOf(script: string): readonly (readonly [string, string])[] {
  return [
    ['content-type', 'text/html; charset=utf-8'],
    ['cache-control', 'no-store'],
    ['referrer-policy', 'no-referrer'],
    ['x-content-type-options', 'nosniff'],
    [
      'content-security-policy',
      [
        "default-src 'none'",
        `script-src '${hashOf(script)}'`,
        `style-src '${hashOf(STYLE)}'`,
        "connect-src 'self'",
        "base-uri 'none'",
        "form-action 'none'",
        "frame-ancestors 'none'",
      ].join('; '),
    ],
  ]
}

function hashOf(text: string): string {
  return `sha256-${createHash('sha256').update(text).digest('base64')}`
}
