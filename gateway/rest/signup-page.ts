/** The page behind the link of an invite: `/signup/<invite id>`. Everything else is its API's. */
import { createHash } from 'node:crypto'
import type { HttpReply, HttpRequest } from '../http/http-server.ts'

const PATH = /^\/signup\/[0-9a-f-]{36}\/?$/i

const STYLE = `
body { font: 16px/1.5 system-ui, sans-serif; max-width: 26rem; margin: 4rem auto; padding: 0 1rem }
label { display: block; margin: 1rem 0 }
input { display: block; width: 100%; box-sizing: border-box; font: inherit; padding: .4rem }
button { font: inherit; padding: .4rem 1rem }
code { display: block; word-break: break-all; background: #eee; color: #111; padding: .5rem }
[role=alert] { color: #b00020 }
`

/** Texts go in as text, never as HTML: names come from others. */
const SCRIPT = `
const [, base, id] = /^(.*)\\/signup\\/([^/]+)/.exec(location.pathname)
const url = base + '/api/signup/' + id + '/'
const at = (name) => document.getElementById(name)
const fail = (body) => { at('problem').textContent = body.detail || 'This did not work. Try again.' }
async function start() {
  const answer = await fetch(url)
  const invite = await answer.json()
  if (!answer.ok) {
    at('title').textContent = 'This invite cannot be used'
    return fail(answer.status === 404 ? { detail: 'It was used, withdrawn, or never there.' } : invite)
  }
  at('title').textContent = 'Join ' + invite.organization_name
  at('email').textContent = invite.target_email
  at('first_name').value = invite.first_name
  at('form').hidden = false
}
at('form').addEventListener('submit', async (event) => {
  event.preventDefault()
  at('problem').textContent = ''
  at('send').disabled = true
  try {
    const body = JSON.stringify({ first_name: at('first_name').value, password: at('password').value })
    const headers = { 'content-type': 'application/json' }
    const answer = await fetch(url, { method: 'POST', headers, body })
    const made = await answer.json()
    if (!answer.ok) return fail(made)
    at('form').hidden = true
    at('title').textContent = 'Welcome'
    at('key').textContent = made.personal_api_key
    at('done').hidden = false
  } catch {
    fail({})
  } finally {
    at('send').disabled = false
  }
})
start().catch(() => fail({}))
`

const PAGE = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Join</title>
<style>${STYLE}</style>
<h1 id="title">Invite</h1>
<p id="problem" role="alert"></p>
<form id="form" hidden>
<p>You join as <b id="email"></b>.</p>
<label>First name <input id="first_name" autocomplete="given-name" maxlength="128" required></label>
<label>Password, 8 characters or more
<input id="password" type="password" autocomplete="new-password" minlength="8" maxlength="128" required>
</label>
<button id="send">Join</button>
</form>
<section id="done" hidden>
<p>This is your personal API key. It is shown once: keep it now.</p>
<code id="key"></code>
</section>
<noscript>This page needs JavaScript.</noscript>
<script>${SCRIPT}</script>
</html>
`

/** The address of the page is a secret, and so is what it shows: nothing of it goes elsewhere. */
const HEADERS = [
  ['content-type', 'text/html; charset=utf-8'],
  ['cache-control', 'no-store'],
  ['referrer-policy', 'no-referrer'],
  ['x-content-type-options', 'nosniff'],
  [
    'content-security-policy',
    [
      "default-src 'none'",
      `script-src '${hashOf(SCRIPT)}'`,
      `style-src '${hashOf(STYLE)}'`,
      "connect-src 'self'",
      "base-uri 'none'",
      "form-action 'none'",
      "frame-ancestors 'none'",
    ].join('; '),
  ],
] as const

/** Undefined when the path is another. The page is the same for every id: its script asks the API. */
export function signupPage({ path, method }: HttpRequest): HttpReply | undefined {
  if (!PATH.test(path)) return undefined
  if (method === 'GET' || method === 'HEAD') return { status: 200, headers: HEADERS, body: PAGE }
  return { status: 405, headers: [['allow', 'GET, HEAD']], body: '' }
}

function hashOf(text: string): string {
  return `sha256-${createHash('sha256').update(text).digest('base64')}`
}
