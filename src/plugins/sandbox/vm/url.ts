/** `URL` and `URLSearchParams` inside a sandbox. */
import type { Kit } from './kit.ts'

type Pair = [string, string]
type Parts = { readonly [part: string]: string }

/** `URLSearchParams`. Its own text goes into the sandbox, as with the functions. */
export class SandboxSearchParams {
  #pairs: Pair[] = []
  #changed: (query: string) => void = () => {}
  constructor(given: unknown = '') {
    if (typeof given === 'object' && given !== null) {
      const isList = typeof Reflect.get(given, Symbol.iterator) === 'function'
      const pairs: Iterable<unknown> = isList ? (given as Iterable<unknown>) : Object.entries(given)
      for (const pair of pairs) {
        const [key, value] = pair as [unknown, unknown]
        this.#pairs.push([String(key), String(value)])
      }
    } else this.#pairs = SandboxSearchParams.#parse(String(given).replace(/^\?/, ''))
  }
  /** The parameters of a URL; `changed` is called with each new query. */
  static of(query: string, changed: (query: string) => void): SandboxSearchParams {
    const params = new SandboxSearchParams(query)
    params.#changed = changed
    return params
  }
  get size(): number {
    return this.#pairs.length
  }
  get(key: string): string | null {
    return this.#pairs.find(([each]) => each === String(key))?.[1] ?? null
  }
  getAll(key: string): string[] {
    return this.#pairs.filter(([each]) => each === String(key)).map(([, value]) => value)
  }
  has(key: string): boolean {
    return this.#pairs.some(([each]) => each === String(key))
  }
  append(key: string, value: unknown): void {
    this.#pairs.push([String(key), String(value)])
    this.#changed(this.toString())
  }
  set(key: string, value: unknown): void {
    const first = this.#pairs.findIndex(([each]) => each === String(key))
    if (first < 0) this.#pairs.push([String(key), String(value)])
    else {
      this.#pairs[first] = [String(key), String(value)]
      this.#pairs = this.#pairs.filter(([each], at) => at <= first || each !== String(key))
    }
    this.#changed(this.toString())
  }
  delete(key: string): void {
    this.#pairs = this.#pairs.filter(([each]) => each !== String(key))
    this.#changed(this.toString())
  }
  sort(): void {
    this.#pairs.sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0))
    this.#changed(this.toString())
  }
  forEach(run: (value: string, key: string, params: SandboxSearchParams) => void): void {
    for (const [key, value] of this.#pairs) run(value, key, this)
  }
  keys(): IterableIterator<string> {
    return this.#pairs.map(([key]) => key).values()
  }
  values(): IterableIterator<string> {
    return this.#pairs.map(([, value]) => value).values()
  }
  entries(): IterableIterator<Pair> {
    return this.#pairs.map(([key, value]): Pair => [key, value]).values()
  }
  [Symbol.iterator](): IterableIterator<Pair> {
    return this.entries()
  }
  toString(): string {
    const encode = (text: string) =>
      encodeURIComponent(text)
        .replace(/%20/g, '+')
        .replace(/[!'()~]/g, (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`)
    return this.#pairs.map(([key, value]) => `${encode(key)}=${encode(value)}`).join('&')
  }
  static #parse(query: string): Pair[] {
    const decode = (text: string) => {
      try {
        return decodeURIComponent(text.replace(/\+/g, ' '))
      } catch {
        return text // Not a valid encoding: the text as it is.
      }
    }
    return query
      .split('&')
      .filter((piece) => piece !== '')
      .map((piece) => {
        const at = piece.indexOf('=')
        return at < 0
          ? [decode(piece), '']
          : [decode(piece.slice(0, at)), decode(piece.slice(at + 1))]
      })
  }
}

/** @param SearchParams the class above, inside the sandbox. */
export function installUrl(
  { native, define, modules }: Kit,
  SearchParams: typeof SandboxSearchParams,
): void {
  const read = (input: string, base?: string, part = '', value = ''): Parts => {
    const parts = native.url(input, base, part, value)
    if (parts === undefined) throw new TypeError('Invalid URL')
    return JSON.parse(parts)
  }
  class SandboxUrl {
    #parts: Parts
    #params: SandboxSearchParams | undefined
    constructor(input: unknown, base?: unknown) {
      this.#parts = read(String(input), base === undefined ? undefined : String(base))
    }
    static canParse(input: unknown, base?: unknown): boolean {
      const from = base === undefined ? undefined : String(base)
      return native.url(String(input), from, '', '') !== undefined
    }
    static part(url: SandboxUrl, name: string): string | undefined {
      return url.#parts[name]
    }
    static change(url: SandboxUrl, name: string, value: string): void {
      url.#parts = read(String(url.#parts['href']), undefined, name, value)
      if (name === 'href' || name === 'search') url.#params = undefined
    }
    get searchParams(): SandboxSearchParams {
      this.#params ??= SearchParams.of(this.#parts['search'] ?? '', (query) => {
        this.#parts = read(String(this.#parts['href']), undefined, 'search', query)
      })
      return this.#params
    }
    toString(): string {
      return String(this.#parts['href'])
    }
    toJSON(): string {
      return this.toString()
    }
  }
  const { part, change } = SandboxUrl
  const changed = ['href', 'protocol', 'username', 'password', 'host', 'hostname', 'port']
  for (const name of [...changed, 'pathname', 'search', 'hash', 'origin']) {
    Object.defineProperty(SandboxUrl.prototype, name, {
      configurable: true,
      enumerable: true,
      get(this: SandboxUrl) {
        return part(this, name)
      },
      set(this: SandboxUrl, value: unknown) {
        if (name !== 'origin') change(this, name, String(value))
      },
    })
  }
  Object.defineProperty(SandboxUrl, 'name', { value: 'URL' })
  Object.defineProperty(SearchParams, 'name', { value: 'URLSearchParams' })
  define('URL', SandboxUrl)
  define('URLSearchParams', SearchParams)
  modules.set('url', { URL: SandboxUrl, URLSearchParams: SearchParams })
}
