/** Pages whose address holds a secret: a form, and a script that sends it to the API. */
import { createHash } from 'node:crypto'
import type { HttpReply, HttpRequest } from '../http/http-server.ts'

/** As the console looks, in light and dark. */
const STYLE = `
:root {
  color-scheme: light dark; --ground: #f6f7f8; --surface: #fff; --sunken: #eef0f2;
  --line: #e2e5e9; --edge: #8b93a0; --text: #15181d; --text-2: #4b5360;
  --accent: #0b7268; --on-accent: #fff; --bad: #b3261e
}
@media (prefers-color-scheme: dark) {
  :root {
    --ground: #121316; --surface: #1a1c20; --sunken: #24272d;
    --line: #2c3037; --edge: #717a88; --text: #eceef1; --text-2: #b4bac4;
    --accent: #4fc4b5; --on-accent: #04211d; --bad: #ff9288
  }
}
*, ::before { box-sizing: border-box }
body {
  margin: 0; padding: 12vh 1rem 2rem; background: var(--ground); color: var(--text);
  overflow-wrap: anywhere;
  font: .875rem/1.5 system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", sans-serif
}
main {
  max-width: 26rem; margin: 0 auto; padding: 2rem; background: var(--surface);
  border: 1px solid var(--line); border-radius: .75rem
}
main::before {
  content: ""; display: block; width: 1.75rem; height: 1.75rem; margin-bottom: 1rem;
  border-radius: .5rem; background: var(--accent)
}
h1 { margin: 0; font-size: 1.25rem; letter-spacing: -.01em; line-height: 1.3 }
p { margin: .75rem 0 0; color: var(--text-2) }
b { color: var(--text); unicode-bidi: isolate }
label { display: block; margin-top: 1rem; font-size: .8125rem; font-weight: 550 }
input, button, .button {
  display: block; width: 100%; min-height: 2.25rem; padding: .25rem .75rem;
  border-radius: .5rem; font: inherit
}
input {
  margin-top: .25rem; border: 1px solid var(--edge); background: var(--surface);
  color: inherit; font-size: .875rem; font-weight: 400
}
button, .button {
  margin-top: 1.5rem; border: 0; background: var(--accent); color: var(--on-accent);
  font-weight: 500; line-height: 1.75rem; text-align: center; text-decoration: none; cursor: pointer
}
button:disabled { opacity: .55 }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px }
code {
  display: block; margin-top: .75rem; padding: .5rem .75rem; border-radius: .5rem;
  background: var(--sunken);
  font: .8125rem/1.5 ui-monospace, Menlo, Consolas, "DejaVu Sans Mono", monospace
}
[hidden] { display: none }
[role=alert] { color: var(--bad) }
[role=alert]:empty { display: none }
`

export type SecretPage = {
  /** Matches the whole path. */
  readonly path: RegExp
  readonly title: string
  /** HTML of our own: nothing in it comes from users. */
  readonly body: string
  readonly script: string
}

/** Answers the requests of one page; `undefined` for other paths. It is the same for each secret. */
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
<main>
${body}
<noscript><p>This page needs JavaScript.</p></noscript>
</main>
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
