/** Runs the API cases against a product. */
import type { Test } from 'tap'
import type { Actor, ApiCase } from '../../api/support/case.ts'
import { type Call, callUntilTaken, type Reply } from '../http/http-call.ts'
import { differences } from './api-match.ts'
import { brokenRules } from './api-rules.ts'
import { type Person, UNKNOWN_KEY, type World } from './api-world.ts'
import { createLimitedKeys, type LimitedKeys } from './limited-keys.ts'
import { fillPath, fillValue, type Names, valueAt } from './placeholders.ts'

/** Cases about these see only their own keys: those made for other cases are removed first. */
const OF_KEYS = '/personal_api_keys/'

/** Endpoints whose successes leave their entry where the caller's organization does not see it. */
const UNLOGGED: Readonly<Record<string, string>> = {
  'POST /api/organizations/': 'the entry is in the organization that was made',
  'DELETE /api/organizations/{id}/': 'nobody is left to read it',
}

/** Called for each answered case. */
export type OnAnswer = (apiCase: ApiCase, call: Call, reply: Reply) => void

/** Runs the cases in order, one assertion each; later cases use values that earlier ones saved. */
export async function runCases(
  t: Test,
  world: World,
  cases: readonly ApiCase[],
  onAnswer: OnAnswer = () => undefined,
): Promise<void> {
  const names = new Map(world.names)
  const keys = createLimitedKeys(world)
  for (const each of cases) {
    const outcome = await runCase({ world, names, keys }, each, onAnswer)
    if (outcome.problems.length === 0) t.pass(each.name)
    else t.fail(`${each.name}: ${saidOf(outcome)}`, { ...outcome, at: null, stack: '' })
  }
  await keys.remove()
}

/** State shared by the cases of a family. */
type Run = {
  readonly world: World
  readonly names: Map<string, unknown>
  readonly keys: LimitedKeys
}

type Outcome = {
  readonly problems: readonly string[]
  readonly asked?: string
  readonly sent?: string
  readonly answer?: string
}

/** Text for the end of a log, which shows titles and differences alone. */
function saidOf({ problems, answer = 'none' }: Outcome): string {
  return `${problems.join('; ')} (answer: ${answer.slice(0, 200)})`
}

async function runCase(run: Run, apiCase: ApiCase, onAnswer: OnAnswer): Promise<Outcome> {
  try {
    return await askAndCheck(run, apiCase, onAnswer)
  } catch (error) {
    return { problems: [error instanceof Error ? error.message : String(error)] }
  }
}

async function askAndCheck(run: Run, apiCase: ApiCase, onAnswer: OnAnswer): Promise<Outcome> {
  const { world, names, keys } = run
  const { as = 'owner', expect } = apiCase
  const request = await requestOf(apiCase, names)
  const mustBeLogged = leavesEntry(apiCase)
  if (apiCase.endpoint.includes(OF_KEYS)) await keys.remove()
  const key = await keyOf(run, as)
  const before = mustBeLogged ? await countActivity(world, as) : undefined
  const headers = { ...(key === undefined ? {} : bearer(key)), ...request.headers }
  const reply = await callUntilTaken(world.http, { ...request, headers })
  onAnswer(apiCase, request, reply)
  const problems = differences(reply, expect, names)
  if (request.path.startsWith('/api/')) problems.push(...brokenRules(reply))
  if (!fitsTemplate(request.path, apiCase.endpoint)) {
    problems.push(`${request.path} is no path of ${apiCase.endpoint}`)
  }
  if (mustBeLogged) {
    const after = await countActivity(world, as)
    if (before === undefined || after === undefined) problems.push('no activity can be read')
    else if (after <= before) problems.push('the change left no entry of activity')
  }
  for (const [name, place] of Object.entries(apiCase.save ?? {})) {
    const value = valueAt(reply.body, place)
    if (value === undefined) problems.push(`there is no ${place} to save`)
    else names.set(name, value)
  }
  return {
    problems,
    asked: `${request.verb} ${request.path}`,
    sent: request.body === undefined ? '' : String(request.body).slice(0, 2_000),
    answer: `${reply.status} ${reply.text.slice(0, 2_000)}`,
  }
}

async function requestOf(apiCase: ApiCase, names: Names): Promise<Call> {
  const verb = apiCase.verb ?? apiCase.endpoint.split(' ', 1)[0] ?? ''
  const headers: Record<string, string> = {}
  for (const [name, value] of Object.entries(apiCase.headers ?? {})) {
    headers[name.toLowerCase()] = String(fillValue(value, names))
  }
  const { contentType, body } = await bodyOf(apiCase, names)
  if (contentType !== undefined) headers['content-type'] ??= contentType
  return { verb, path: fillPath(apiCase.path, names), headers, body }
}

type Body = { readonly contentType?: string; readonly body?: string | Buffer }

async function bodyOf(apiCase: ApiCase, names: Names): Promise<Body> {
  const { body, rawBody, form } = apiCase
  if (form !== undefined) return await multipart(form, names)
  if (rawBody !== undefined) return { body: rawBody }
  if (body === undefined) return {}
  return { contentType: 'application/json', body: JSON.stringify(fillValue(body, names)) }
}

async function multipart(form: NonNullable<ApiCase['form']>, names: Names): Promise<Body> {
  const data = new FormData()
  for (const [name, part] of Object.entries(form)) {
    if (typeof part === 'string') data.set(name, String(fillValue(part, names)))
    else data.set(name, new Blob([part.text], { type: part.type }), part.file)
  }
  const encoded = new Response(data)
  const contentType = encoded.headers.get('content-type') ?? ''
  return { contentType, body: Buffer.from(await encoded.arrayBuffer()) }
}

async function keyOf({ world, names, keys }: Run, as: Actor): Promise<string | undefined> {
  if (as === 'anonymous') return undefined
  if (as === 'bad_key') return UNKNOWN_KEY
  return typeof as === 'string' ? world.keys[as] : await keys.of(as, names)
}

function bearer(key: string): Record<string, string> {
  return { authorization: `Bearer ${key}` }
}

/** A write that succeeds. */
export function isChange({ endpoint, verb, expect }: ApiCase): boolean {
  const sent = verb ?? endpoint.split(' ', 1)[0] ?? ''
  const isWrite = !['GET', 'HEAD', 'OPTIONS'].includes(sent)
  return isWrite && expect.status >= 200 && expect.status < 300
}

/** Whether the case must leave an entry: every change does, except those with a reason. */
function leavesEntry(apiCase: ApiCase): boolean {
  const { endpoint, unlogged } = apiCase
  if (!isChange(apiCase) || !endpoint.includes(' /api/')) return false
  return unlogged === undefined && UNLOGGED[endpoint] === undefined
}

/** Entries of the actor's organization, as its owner sees them; over HTTP alone, for it is asked often. */
async function countActivity(world: World, as: Actor): Promise<number | undefined> {
  const person: Person = as === 'outsider' ? 'outsider' : 'owner'
  const name = person === 'outsider' ? 'foreign_organization' : 'organization'
  const path = `/api/organizations/${world.names.get(name)}/activity/?limit=1`
  const headers = bearer(world.keys[person])
  const reply = await world.plainHttp.call({ verb: 'GET', path, headers })
  const count = valueAt(reply.body, 'count')
  return typeof count === 'number' ? count : undefined
}

/** Whether the path fits the endpoint's template, with or without the final slash. */
function fitsTemplate(path: string, endpoint: string): boolean {
  const template = endpoint.split(' ')[1] ?? ''
  if (!template.startsWith('/')) return true
  const pattern = template
    .replace(/[.+*?^$()[\]\\|]/g, '\\$&')
    .replace(/\{\w+\}/g, '[^/]*')
    .replace(/\/$/, '/?')
  return new RegExp(`^${pattern}$`).test(path.split('?', 1)[0] ?? '')
}
