/**
 * Runtime of the generated calls: one request over `fetch`, in browsers and in Node. Nothing but
 * the platform is imported, so that the folder can be copied or served as it is.
 */

/** A value of `JSON.parse`. */
export type Json = null | boolean | number | string | readonly Json[] | JsonObject
export type JsonObject = { readonly [key: string]: Json }

export type ClientOptions = {
  /** Where the instance is: `https://sluice.example.com`; a path below it is kept. */
  readonly baseUrl: string
  /** Personal API key. Only public calls work without one. */
  readonly key?: string
  /** @default globalThis.fetch */
  readonly fetch?: typeof globalThis.fetch
  /** Deadline of one call, milliseconds. @default 30000 */
  readonly timeoutMs?: number
  /** Reads the JSON of answers. @default JSON.parse */
  readonly parse?: (text: string) => unknown
}

export type Client = Required<Omit<ClientOptions, 'key'>> & { readonly key: string | undefined }

export type CallOptions = {
  readonly signal?: AbortSignal
  /** Milliseconds, in place of the client's. */
  readonly timeoutMs?: number
  readonly headers?: Readonly<Record<string, string>>
}

/** A page of a list. */
export type Page<Item> = {
  readonly count: number
  readonly next: string | null
  readonly previous: string | null
  readonly results: readonly Item[]
}

/** Kind of error; `code` says which one. */
export type ErrorType =
  | 'authentication_error'
  | 'invalid_request'
  | 'server_error'
  | 'throttled_error'
  | 'validation_error'

/** An error that the instance has answered. What `fetch` itself throws is passed on as it is. */
export class ApiError extends Error {
  readonly status: number
  readonly type: ErrorType
  readonly code: string
  /** The field to blame, if any. */
  readonly attr: string | null
  /** Seconds after which the call may be made again. */
  readonly retryAfterS: number | undefined

  constructor(status: number, body: ErrorBody, retryAfterS: number | undefined) {
    super(body.detail)
    this.name = 'ApiError'
    this.status = status
    this.type = body.type
    this.code = body.code
    this.attr = body.attr
    this.retryAfterS = retryAfterS
  }
}

type ErrorBody = { type: ErrorType; code: string; detail: string; attr: string | null }

const TIMEOUT_MS = 30_000

/** @throws {TypeError} when `baseUrl` is not an absolute http(s) URL. */
export function createClient(options: ClientOptions): Client {
  const { protocol } = new URL(options.baseUrl)
  if (protocol !== 'http:' && protocol !== 'https:') throw new TypeError('baseUrl must be http(s)')
  return {
    baseUrl: options.baseUrl.replace(/\/+$/, ''),
    key: options.key,
    fetch: options.fetch ?? ((input, init) => globalThis.fetch(input, init)),
    timeoutMs: options.timeoutMs ?? TIMEOUT_MS,
    parse: options.parse ?? JSON.parse,
  }
}

/** One request, as the generated calls describe it. */
export type Request = {
  readonly verb: string
  /** Escaped. */
  readonly path: string
  readonly query?: Readonly<Record<string, unknown>>
  /** Sent as JSON when it is given. */
  readonly body?: unknown
  /** Sent in place of `body` when it is given. */
  readonly form?: FormData | undefined
  readonly accept?: string
}

/** Resolves with the body of a success: JSON, or undefined when it is empty. */
export async function call<Answer>(
  client: Client,
  request: Request,
  options: CallOptions = {},
): Promise<Answer> {
  const { response, release } = await send(client, request, options)
  try {
    const text = await response.text()
    // The contract says what the body of this call is.
    return (text === '' ? undefined : client.parse(text)) as Answer
  } finally {
    release()
  }
}

/** As `call`: the path has `{names}` of members, and the other members are the query. */
export function callWithQuery<Answer>(
  client: Client,
  verb: string,
  template: string,
  input: object,
  options?: CallOptions,
): Promise<Answer> {
  const { path, rest } = filled(template, input)
  return call(client, { verb, path, query: rest }, options)
}

/** As `callWithQuery`: the other members are the body. */
export function callWithBody<Answer>(
  client: Client,
  verb: string,
  template: string,
  input: object,
  options?: CallOptions,
): Promise<Answer> {
  const { path, rest } = filled(template, input)
  return call(client, { verb, path, body: rest }, options)
}

function filled(template: string, input: object) {
  const rest: Record<string, unknown> = { ...input }
  const path = template.replace(/{(\w+)}/g, (_, name: string) => {
    const value = rest[name]
    delete rest[name]
    // The type of the input says so.
    return segment(value as string | number)
  })
  return { path, rest }
}

/** Resolves with the response of a success, its body unread. The time-out ends with the head. */
export async function callStream(
  client: Client,
  request: Request,
  options: CallOptions = {},
): Promise<Response> {
  return (await send(client, request, options)).response
}

/** One event of a stream of server-sent events. */
export type ServerEvent = {
  readonly event: string
  /** Empty where it has none. */
  readonly id: string
  readonly data: JsonObject
}

/**
 * The events of a stream, until it ends, its connection is lost or `signal` aborts. The first look
 * for one makes the call; the time-out ends with the head of the answer. An event named `open`
 * without data comes first: from then on events are sent.
 */
export async function* callEvents(
  client: Client,
  request: Request,
  options: CallOptions = {},
): AsyncGenerator<ServerEvent, void, undefined> {
  const { response, release } = await send(client, request, options)
  try {
    yield* eventsIn(response, client)
  } finally {
    release()
  }
}

async function* eventsIn(
  { body }: Response,
  client: Client,
): AsyncGenerator<ServerEvent, void, undefined> {
  if (body === null) return
  const decoder = new TextDecoder()
  let text = ''
  let isRead = false
  try {
    yield { event: 'open', id: '', data: {} }
    isRead = true
  } finally {
    // A caller that leaves here has not touched the body, which would keep its connection.
    if (!isRead) await body.cancel()
  }
  for await (const chunk of body) {
    text += decoder.decode(chunk, { stream: true })
    const blocks = text.split('\n\n')
    text = blocks.pop() ?? ''
    for (const block of blocks) {
      const read = eventOf(block, client)
      if (read !== undefined) yield read
    }
  }
}

/** @returns undefined for a block without data: comments and times. */
function eventOf(block: string, client: Client): ServerEvent | undefined {
  const fields = new Map<string, string>()
  for (const line of block.split('\n')) {
    const [, name = '', value = ''] = /^([^:]*):? ?(.*)$/.exec(line) ?? []
    fields.set(name, value)
  }
  const data = fields.get('data')
  if (data === undefined) return undefined
  // The interface says that the data of its events are objects.
  const object = client.parse(data) as JsonObject
  return { event: fields.get('event') ?? 'message', id: fields.get('id') ?? '', data: object }
}

/**
 * Every page from the first on, by the `next` addresses: what comes in meanwhile shifts nothing.
 * Only their path and query are used, so that the key is sent to no other host.
 */
export async function* pages<Item>(
  client: Client,
  first: Promise<Page<Item>>,
  options: CallOptions = {},
): AsyncGenerator<Page<Item>, void, undefined> {
  let page = await first
  for (;;) {
    yield page
    if (page.next === null) return
    const { pathname, search } = new URL(page.next)
    page = await call<Page<Item>>(client, { verb: 'GET', path: pathname + search }, options)
  }
}

/** One segment of a path. @throws {TypeError} when no id can be like that. */
export function segment(value: string | number): string {
  const text = encodeURIComponent(String(value)).replace(/%40/g, '@')
  // Dots alone would be taken for steps along the path, escaped ones too.
  if (/^\.{0,2}$/.test(text)) throw new TypeError('no id of a path')
  return text
}

/** Files are parts `add_attachment[key]`; everything that is not text is JSON. */
export function formOf(
  fields: Readonly<Record<string, unknown>>,
  parts: Readonly<Record<string, Readonly<Record<string, Blob>> | readonly string[] | undefined>>,
): FormData {
  const form = new FormData()
  for (const [name, value] of Object.entries(fields)) {
    if (value !== undefined) form.set(name, typeof value === 'string' ? value : textOf(value))
  }
  for (const [prefix, given] of Object.entries(parts)) {
    if (given === undefined) continue
    if (Array.isArray(given)) for (const key of given) form.set(`${prefix}[${key}]`, '')
    else for (const [key, file] of Object.entries(given)) form.set(`${prefix}[${key}]`, file)
  }
  return form
}

/** A response, and what lets go of the caller's signal once the body is read. */
type Sent = { readonly response: Response; readonly release: () => void }

async function send(client: Client, request: Request, options: CallOptions): Promise<Sent> {
  const headers = new Headers(options.headers)
  headers.set('accept', request.accept ?? 'application/json')
  if (client.key !== undefined) headers.set('authorization', `Bearer ${client.key}`)
  const isJson = request.form === undefined && request.body !== undefined
  if (isJson) headers.set('content-type', 'application/json')
  const abort = new AbortController()
  const giveUp = () => abort.abort(new DOMException('the call took too long', 'TimeoutError'))
  const timer = setTimeout(giveUp, options.timeoutMs ?? client.timeoutMs)
  const left = () => abort.abort(options.signal?.reason)
  options.signal?.addEventListener('abort', left, { once: true })
  if (options.signal?.aborted === true) left()
  const release = () => options.signal?.removeEventListener('abort', left)
  try {
    const response = await client.fetch(client.baseUrl + request.path + queryOf(request.query), {
      method: request.verb,
      headers,
      signal: abort.signal,
      ...(isJson ? { body: JSON.stringify(request.body) } : {}),
      ...(request.form === undefined ? {} : { body: request.form }),
    })
    if (!response.ok) throw await errorOf(response)
    return { response, release }
  } catch (error) {
    release()
    throw error
  } finally {
    clearTimeout(timer)
  }
}

/** Lists are repeated, objects are their JSON, and what is undefined is left out. */
function queryOf(query: Readonly<Record<string, unknown>> = {}): string {
  const parameters = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) {
    const values = Array.isArray(value) ? value : [value]
    for (const each of values) if (each !== undefined) parameters.append(name, textOf(each))
  }
  const text = parameters.toString()
  return text === '' ? '' : `?${text}`
}

function textOf(value: unknown): string {
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}

async function errorOf(response: Response): Promise<ApiError> {
  const body = parsed(await response.text())
  const text = (name: keyof ErrorBody, otherwise: string) =>
    typeof body[name] === 'string' ? body[name] : otherwise
  const detail = text('detail', `The instance answered ${response.status}.`)
  // The types of errors are closed by the interface; an unknown one is shown as it is.
  const type = text('type', 'server_error') as ErrorType
  const attr = typeof body.attr === 'string' ? body.attr : null
  const known = { type, code: text('code', 'error'), detail, attr }
  return new ApiError(response.status, known, retryAfterOf(response.headers))
}

/** `Retry-After` in seconds: a number of them, or a date, by the clock of who answered. */
function retryAfterOf(headers: Headers): number | undefined {
  const text = headers.get('retry-after') ?? ''
  if (/^\d+$/.test(text)) return Number(text)
  const from = Date.parse(headers.get('date') ?? '') || Date.now()
  const seconds = Math.ceil((Date.parse(text) - from) / 1_000)
  return Number.isNaN(seconds) ? undefined : Math.max(0, seconds)
}

function parsed(text: string): Partial<Record<keyof ErrorBody, unknown>> {
  try {
    const json: unknown = JSON.parse(text)
    return typeof json === 'object' && json !== null ? json : {}
  } catch {
    return {} // A proxy in between answered with a page of its own.
  }
}
