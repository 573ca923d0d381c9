import { addressText, plainAddress } from './address-text.ts'
import type { HttpRequest } from './http-server.ts'

/**
 * A request, copied from either server. Headers are one flat list of lower-case names and values:
 * walking a dozen strings costs less than building a map for each request.
 */
export class IncomingRequest implements HttpRequest {
  readonly method: string
  readonly path: string
  readonly query: string
  readonly headers: readonly string[]
  readonly headAtMs: number
  aborted = false
  #address: string | ArrayBuffer
  #controller: AbortController | undefined

  constructor(
    method: string,
    path: string,
    query: string,
    headers: readonly string[],
    address: string | ArrayBuffer,
    headAtMs: number,
  ) {
    this.method = method
    this.path = path
    this.query = query
    this.headers = headers
    this.#address = address
    this.headAtMs = headAtMs
  }

  header(name: string): string | undefined {
    const { headers } = this
    for (let at = 0; at < headers.length; at += 2) {
      if (headers[at] === name) return headers[at + 1]
    }
    return undefined
  }

  headerList(name: string): string {
    const { headers } = this
    let list = ''
    for (let at = 0; at < headers.length; at += 2) {
      if (headers[at] === name) list += list === '' ? headers[at + 1] : `,${headers[at + 1]}`
    }
    return list
  }

  get remoteAddress(): string {
    if (typeof this.#address !== 'string') {
      this.#address = addressText(new Uint8Array(this.#address))
    }
    return plainAddress(this.#address)
  }

  get signal(): AbortSignal {
    if (this.#controller === undefined) {
      this.#controller = new AbortController()
      if (this.aborted) this.#controller.abort()
    }
    return this.#controller.signal
  }

  /** The client has left. */
  abort(): void {
    this.aborted = true
    this.#controller?.abort()
  }
}
