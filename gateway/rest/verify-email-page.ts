/**
 * Serves the page that confirms an e-mail address, `/verify_email/<token>`. Only its button does
 * so, because programs that follow the links of mails do not press it.
 */
import { secretPage } from './secret-page.ts'

const SCRIPT = `
const [, base, token] = /^(.*)\\/verify_email\\/([^/]+)/.exec(location.pathname)
const at = (name) => document.getElementById(name)
const fail = (body) => { at('problem').textContent = body.detail || 'This did not work. Try again.' }
at('form').addEventListener('submit', async (event) => {
  event.preventDefault()
  at('problem').textContent = ''
  at('send').disabled = true
  try {
    const answer = await fetch(base + '/api/users/verify_email/', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ token }),
    })
    const confirmed = await answer.json()
    if (!answer.ok) return fail(confirmed)
    at('form').hidden = true
    at('title').textContent = 'Confirmed'
    at('email').textContent = confirmed.email
    at('done').hidden = false
  } catch {
    fail({})
  } finally {
    at('send').disabled = false
  }
})
`

const BODY = `<h1 id="title">Is this address yours?</h1>
<p id="problem" role="alert"></p>
<form id="form">
<p>Confirm it if you have asked for this mail. Else close this page.</p>
<button id="send">It is mine</button>
</form>
<section id="done" hidden>
<p>The address of your account is <b id="email"></b>.</p>
</section>`

export const verifyEmailPage = secretPage({
  path: /^\/verify_email\/[0-9A-Za-z]{43}\/?$/,
  title: 'Confirm',
  body: BODY,
  script: SCRIPT,
})
