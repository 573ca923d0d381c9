/** Sends an event as an app does: by the public route, with the key of the project alone. */
import { isRecord, parsedJson } from './json.ts'

/** Route of browser libraries, so that whatever blocks them blocks this too. */
const ROUTE = '/i/v0/e/'

/** @throws {TypeError} when the browser did not send it, else an error with the server's words. */
export async function captureTest(token: string): Promise<void> {
  const event = {
    api_key: token,
    event: 'test event',
    distinct_id: 'test-person',
    properties: { $lib: 'console' },
  }
  const response = await fetch(new URL(ROUTE, location.origin), {
    method: 'POST',
    credentials: 'omit',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(event),
  })
  if (response.ok) return
  const answer = parsedJson(await response.text())
  const detail = isRecord(answer) ? answer['detail'] : undefined
  throw new Error(typeof detail === 'string' ? detail : `The server answered ${response.status}.`)
}
