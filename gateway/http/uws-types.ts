/** The part of uWebSockets.js v20.51 that `uws-server.ts` uses; the package brings no types. */

export type Uws = {
  App(): UwsApp
  us_listen_socket_close(socket: UwsListenSocket): void
  us_socket_local_port(socket: UwsListenSocket): number
  readonly LIBUS_LISTEN_EXCLUSIVE_PORT: number
  /** Undocumented switches; `999999990007` drops the `uWebSockets` header from every answer. */
  _cfg(key: string): void
}

declare const listenSocket: unique symbol
/** A native pointer, invalid once it or the app has been closed. */
export type UwsListenSocket = { readonly [listenSocket]: true }

export type UwsApp = {
  any(pattern: string, handler: (res: UwsResponse, req: UwsRequest) => void): UwsApp
  /** Calls back before it returns; `false`: the address is not available. */
  listen(
    host: string,
    port: number,
    options: number,
    listening: (socket: UwsListenSocket | false) => void,
  ): UwsApp
  /** Closes listeners and every connection; pending responses are aborted. */
  close(): UwsApp
}

/** Lives on the native stack: invalid when the handler returns. */
export type UwsRequest = {
  getCaseSensitiveMethod(): string
  getUrl(): string
  /** `undefined` when the target has no `?`. */
  getQuery(): string | undefined
  /** Names come in lower case. */
  forEach(visit: (name: string, value: string) => void): void
}

/** Throws when touched after an abort or its end. */
export type UwsResponse = {
  onAborted(run: () => void): UwsResponse
  /** `chunk` is detached when the callback returns. */
  onData(run: (chunk: ArrayBuffer, last: boolean) => void): UwsResponse
  /** `offset` counts body bytes; false asks to be called again only when nothing was written. */
  onWritable(run: (offset: number) => boolean): UwsResponse
  writeStatus(status: string): UwsResponse
  writeHeader(name: string, value: string): UwsResponse
  /** Chunked. False: buffered in user space. */
  write(chunk: Uint8Array): boolean
  end(body?: string | Uint8Array, closeConnection?: boolean): UwsResponse
  /** Without arguments only: with a length, this version leaves the response pending. */
  endWithoutBody(): UwsResponse
  /** Hands over what the kernel takes. `[all of it taken, reply complete]` */
  tryEnd(chunk: Uint8Array, totalBytes: number): [boolean, boolean]
  getWriteOffset(): number
  getRemoteAddress(): ArrayBuffer
  cork(run: () => void): UwsResponse
  /** Closes at once; `onAborted` runs before it returns. */
  close(): UwsResponse
}
