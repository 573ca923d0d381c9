/**
 * Serves the page of an invite, `/signup/<token>`. Its script calls the API, which judges the token: a
 * link that a mail has cut gets a page that says so.
 */
import { secretPage } from './secret-page.ts'

/** Names are inserted as text, never as HTML: other users chose them. */
const SCRIPT = `
const [, base, token] = /^(.*)\\/signup\\/([^/]+)/.exec(location.pathname)
const url = base + '/api/signup/' + token + '/'
const at = (name) => document.getElementById(name)
const fail = (body) => { at('problem').textContent = body.detail || 'This did not work. Try again.' }
async function enter() {
  const entering = { email: at('email').textContent, password: at('password').value }
  const answer = await fetch(base + '/api/login/', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(entering),
  }).catch(() => undefined)
  const isIn = answer !== undefined && answer.ok
  at('console').href = base + (isIn ? '/' : '/login')
  at('console').textContent = isIn ? 'Open the console' : 'Sign in to the console'
}
async function start() {
  const answer = await fetch(url)
  const invite = await answer.json()
  if (!answer.ok) {
    at('title').textContent = 'This invite cannot be used'
    return fail(answer.status === 404 ? { detail: 'It was used or revoked, or the link is incomplete. Ask for a new one.' } : invite)
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
    await enter()
    at('done').hidden = false
  } catch {
    fail({})
  } finally {
    at('send').disabled = false
  }
})
start().catch(() => fail({}))
`

const BODY = `<h1 id="title">Invite</h1>
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
<p>From now on you sign in with your address and your password.</p>
<a id="console" class="button">Sign in to the console</a>
</section>`

export const signupPage = secretPage({
  path: /^\/signup\/[^/]+\/?$/,
  title: 'Join',
  body: BODY,
  script: SCRIPT,
})
