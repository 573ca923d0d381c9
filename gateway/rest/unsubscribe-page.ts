/**
 * Serves the page that ends mails of a subscription, `/unsubscribe/<token>`. Only its button does so,
 * because programs that follow the links of mails do not press it. The mail programs that have a
 * button of their own post to this address, which is then a call.
 */
import type { HttpReply, HttpRequest } from '../http/http-server.ts'
import { secretPage } from './secret-page.ts'

const SCRIPT = `
const [, base, token] = /^(.*)\\/unsubscribe\\/([^/]+)/.exec(location.pathname)
const at = (name) => document.getElementById(name)
const fail = (text) => { at('problem').textContent = text }
at('form').addEventListener('submit', async (event) => {
  event.preventDefault()
  fail('')
  at('send').disabled = true
  try {
    const answer = await fetch(base + '/api/unsubscribe/' + token + '/', { method: 'POST' })
    if (answer.status === 404) return fail('These mails have been ended already.')
    if (!answer.ok) return fail('This did not work. Try again.')
    at('form').hidden = true
    at('title').textContent = 'Unsubscribed'
    at('done').hidden = false
  } catch {
    fail('This did not work. Try again.')
  } finally {
    at('send').disabled = false
  }
})
`

const BODY = `<h1 id="title">End these mails?</h1>
<p id="problem" role="alert"></p>
<form id="form">
<p>Your address gets no further mails of this subscription.</p>
<button id="send">Unsubscribe</button>
</form>
<section id="done" hidden>
<p>Your address gets no further mails of this subscription.</p>
</section>`

const page = secretPage({
  path: /^\/unsubscribe\/[0-9A-Za-z]{43}\/?$/,
  title: 'Unsubscribe',
  body: BODY,
  script: SCRIPT,
})

export function unsubscribePage(request: HttpRequest): HttpReply | undefined {
  return request.method === 'POST' ? undefined : page(request)
}
