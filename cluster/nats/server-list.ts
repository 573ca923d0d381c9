/** Parses NATS_URL into servers and credentials for the client, and a text for logs. */

export type ServerList = {
  /** `host:port`, without credentials. */
  readonly servers: readonly string[]
  readonly tls: boolean
  readonly user: string | undefined
  readonly pass: string | undefined
  readonly token: string | undefined
}

const PORT_DEFAULT = 4222

/**
 * Reads URLs with commas between them: `nats://user:pass@host:port`, `nats://token@host`,
 * `tls://…`. The client has one set of credentials for all servers: those of the first URL that has
 * any. Expects what `src/core/config/config-parsers.ts` has let through.
 */
export function parseServers(urls: string): ServerList {
  const parsed = urls
    .split(',')
    .map((text) => text.trim())
    .filter((text) => text !== '')
    // Parsed as http, whose host and port URL understands; the port is never http's own default.
    .map((text) => ({
      tls: text.startsWith('tls:'),
      url: new URL(text.replace(/^[a-z]+:/, 'ws:')),
      port80: /:80\/?$/.test(text),
    }))
  const login = parsed.find(({ url }) => url.username !== '')?.url
  const name = login === undefined ? undefined : decodeURIComponent(login.username)
  const password = login?.password ? decodeURIComponent(login.password) : undefined
  return {
    servers: parsed.map(({ url, port80 }) => {
      const port = url.port === '' ? (port80 ? 80 : PORT_DEFAULT) : url.port
      return `${url.hostname}:${port}`
    }),
    tls: parsed.some(({ tls }) => tls),
    user: password === undefined ? undefined : name,
    pass: password,
    token: password === undefined ? name : undefined,
  }
}
