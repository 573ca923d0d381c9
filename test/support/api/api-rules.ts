/** Rules of every answer of the management interface. */
import type { Reply } from '../http/http-call.ts'

/** Rules that an answer breaks, whatever its case is about. */
export function brokenRules(reply: Reply): string[] {
  const { status, headers } = reply
  const problems: string[] = []
  if (status === 500) problems.push('no request may be answered 500')
  if (headers['x-content-type-options'] !== 'nosniff') {
    problems.push('no browser guesses the type of an answer')
  }
  if (status === 401 && headers['www-authenticate'] !== 'Bearer') {
    problems.push('a 401 names the scheme')
  }
  if (status === 405 && (headers['allow'] ?? '') === '') {
    problems.push('a 405 says what is allowed')
  }
  if (status === 429 && !/^[1-9]\d*$/.test(headers['retry-after'] ?? '')) {
    problems.push('a 429 says when to come again')
  }
  if (status === 204 && reply.text !== '') problems.push('a 204 has no body')
  if (status >= 400 && headers['content-type'] === 'application/json' && reply.text !== '') {
    problems.push(...brokenErrorBody(reply.body))
  }
  return problems
}

const MEMBERS = ['type', 'code', 'detail', 'attr']

/** One flat object; `attr` is missing where the key is invalid, and only there. */
function brokenErrorBody(body: unknown): string[] {
  const problems: string[] = []
  if (typeof body !== 'object' || body === null || Array.isArray(body)) {
    return ['an error is an object']
  }
  const found: Readonly<Record<string, unknown>> = { ...body }
  for (const name of MEMBERS.slice(0, 3)) {
    const text = found[name]
    if (typeof text !== 'string' || text === '') problems.push(`an error's ${name} is a text`)
  }
  const isBadKey = found['code'] === 'invalid_personal_api_key'
  if (isBadKey === Object.hasOwn(found, 'attr')) problems.push('attr is absent for bad keys alone')
  const { attr } = found
  if (!isBadKey && attr !== null && typeof attr !== 'string') {
    problems.push("an error's attr is a text or null")
  }
  const extra = Object.keys(found).filter((name) => !MEMBERS.includes(name))
  if (extra.length > 0) problems.push(`an error has ${extra.join(', ')} too`)
  return problems
}
