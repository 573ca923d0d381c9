/** `fetch` inside a sandbox. The server sends the requests, within its bounds. */
import type { Kit } from './kit.ts'

type Pair = [string, string]
type Answer = {
  readonly status: number
  readonly statusText: string
  readonly url: string
  readonly redirected: boolean
  readonly headers: readonly Pair[]
  /** Base64. */
  readonly body: string
}

/** `Headers`. Its own text goes into the sandbox, as with the functions. */
export class SandboxHeaders {
  #values = new Map<string, string>()
  constructor(given: unknown = {}) {
    const isList = typeof Reflect.get(Object(given), Symbol.iterator) === 'function'
    const pairs = isList ? [...(given as Iterable<unknown>)] : Object.entries(Object(given))
    for (const pair of pairs) {
      const [name, value] = pair as [unknown, unknown]
      this.append(name, value)
    }
  }
  get(name: unknown): string | null {
    return this.#values.get(String(name).toLowerCase()) ?? null
  }
  has(name: unknown): boolean {
    return this.#values.has(String(name).toLowerCase())
  }
  set(name: unknown, value: unknown): void {
    this.#values.set(String(name).toLowerCase(), String(value))
  }
  append(name: unknown, value: unknown): void {
    const before = this.get(name)
    this.set(name, before === null ? value : `${before}, ${value}`)
  }
  delete(name: unknown): void {
    this.#values.delete(String(name).toLowerCase())
  }
  forEach(run: (value: string, name: string) => void): void {
    for (const [name, value] of this.#values) run(value, name)
  }
  keys(): IterableIterator<string> {
    return this.#values.keys()
  }
  values(): IterableIterator<string> {
    return this.#values.values()
  }
  entries(): IterableIterator<Pair> {
    return this.#values.entries()
  }
  [Symbol.iterator](): IterableIterator<Pair> {
    return this.entries()
  }
}

/** @param Headers the class above, inside the sandbox. */
export function installFetch({ native, define, ask }: Kit, Headers: typeof SandboxHeaders): void {
  class SandboxResponse {
    readonly status: number
    readonly statusText: string
    readonly url: string
    readonly redirected: boolean
    readonly ok: boolean
    readonly headers: SandboxHeaders
    #body: string
    constructor(answer: Answer) {
      this.status = answer.status
      this.statusText = answer.statusText
      this.url = answer.url
      this.redirected = answer.redirected
      this.ok = answer.status >= 200 && answer.status < 300
      this.headers = new Headers(answer.headers)
      this.#body = answer.body
    }
    async arrayBuffer(): Promise<ArrayBuffer> {
      return native.encode(this.#body, 'base64')
    }
    async text(): Promise<string> {
      return native.decode(native.encode(this.#body, 'base64'), 'utf8')
    }
    async json(): Promise<unknown> {
      return JSON.parse(await this.text())
    }
  }

  const bodyOf = (body: unknown): { text?: string; base64?: string } => {
    if (body === undefined || body === null) return {}
    if (typeof body === 'string') return { text: body }
    if (body instanceof ArrayBuffer) return { base64: native.decode(body, 'base64') }
    if (!ArrayBuffer.isView(body)) return { text: String(body) }
    const bytes = new Uint8Array(body.buffer, body.byteOffset, body.byteLength).slice()
    return { base64: native.decode(bytes.buffer, 'base64') }
  }

  define('Headers', Headers)
  define('fetch', async (input: unknown, init: unknown = {}) => {
    const given: { method?: unknown; headers?: unknown; body?: unknown } = Object(init)
    const headers = new Headers(given.headers ?? {})
    const params: unknown = Reflect.get(globalThis, 'URLSearchParams')
    const isForm = typeof params === 'function' && given.body instanceof params
    if (isForm && !headers.has('content-type')) {
      headers.set('content-type', 'application/x-www-form-urlencoded;charset=UTF-8')
    }
    const answer = await ask('fetch', {
      url: String(input),
      method: String(given.method ?? 'GET').toUpperCase(),
      headers: [...headers],
      ...bodyOf(given.body),
    })
    return new SandboxResponse(answer as Answer)
  })
}
