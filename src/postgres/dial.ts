import { readFile } from 'node:fs/promises'
import { isIP, Socket } from 'node:net'
import { connect as connectTls } from 'node:tls'

export type Endpoint =
  | { readonly kind: 'unix'; readonly path: string }
  | { readonly kind: 'tcp'; readonly host: string; readonly port: number }

export type TlsMode = 'disable' | 'prefer' | 'require' | 'verify-ca' | 'verify-full'

/** Paths are of files in PEM. */
export type TlsSettings = {
  readonly mode: TlsMode
  readonly rootCertPath: string | undefined
  /** Shown to a server that asks for a certificate. */
  readonly certPath: string | undefined
  readonly keyPath: string | undefined
}

export const NO_TLS: TlsSettings = {
  mode: 'disable',
  rootCertPath: undefined,
  certPath: undefined,
  keyPath: undefined,
}

const KEEP_ALIVE_MS = 60_000
/**
 * The driver sends no statement ahead behind one that has filled the socket's buffer. So no buffer
 * is ever full: the pool bounds what waits on a connection.
 */
const NEVER_FULL = Number.MAX_SAFE_INTEGER
// Missing in Node's types: a socket passes its options to its stream.
const UNBOUNDED_SOCKET: object = { writableHighWaterMark: NEVER_FULL }
const UNBOUNDED_TLS: object = { highWaterMark: NEVER_FULL }
/** The message that asks a server for TLS, before anything else: length 8, code 80877103. */
const TLS_REQUEST = Buffer.from([0, 0, 0, 8, 4, 0xd2, 0x16, 0x2f])

/**
 * Connects to a server, with TLS as libpq's `sslmode` has it. TCP goes without Nagle's delay: a
 * large statement is written in two pieces, and the second would wait 40 ms for the delayed
 * acknowledgement of the first.
 * @throws {Error} of the socket, or ETIMEDOUT after `timeoutMs`. Safe to retry.
 */
export async function dial(
  endpoint: Endpoint,
  tls: TlsSettings,
  timeoutMs: number,
): Promise<Socket> {
  const socket = new Socket(UNBOUNDED_SOCKET)
  socket.connect(
    endpoint.kind === 'unix'
      ? { path: endpoint.path }
      : {
          host: endpoint.host,
          port: endpoint.port,
          noDelay: true,
          keepAlive: true,
          keepAliveInitialDelay: KEEP_ALIVE_MS,
        },
  )
  socket.setTimeout(timeoutMs, () => socket.destroy(timedOut()))
  try {
    await settled(socket, 'connect')
    const dialled =
      endpoint.kind === 'unix' || tls.mode === 'disable'
        ? socket
        : await secured(socket, endpoint.host, tls)
    dialled.setTimeout(0)
    socket.setTimeout(0)
    return dialled
  } catch (error) {
    socket.destroy()
    throw error
  }
}

async function secured(socket: Socket, host: string, tls: TlsSettings): Promise<Socket> {
  socket.write(TLS_REQUEST)
  const answer = await new Promise<Buffer>((resolve, reject) => {
    socket.once('data', resolve).once('error', reject)
    socket.once('close', () => reject(new Error('the server closed the connection')))
  })
  // More than one byte before TLS would be from an attacker in between (CVE-2021-23222).
  if (answer.length !== 1) throw new Error('the server answered the request for TLS strangely')
  if (answer.toString() !== 'S') {
    if (tls.mode === 'prefer') return socket
    throw new Error('the server has no TLS, and sslmode asks for it')
  }
  const { rootCertPath, certPath, keyPath } = tls
  const files = {
    ...(rootCertPath === undefined ? {} : { ca: await readFile(rootCertPath) }),
    ...(certPath === undefined ? {} : { cert: await readFile(certPath) }),
    ...(keyPath === undefined ? {} : { key: await readFile(keyPath) }),
  }
  const verified = tls.mode === 'verify-full' || tls.mode === 'verify-ca'
  const secure = connectTls({
    socket,
    ...UNBOUNDED_TLS,
    ...files,
    ...(isIP(host) === 0 ? { servername: host } : { host }),
    rejectUnauthorized: verified,
    ...(tls.mode === 'verify-ca' ? { checkServerIdentity: () => undefined } : {}),
  })
  await settled(secure, 'secureConnect')
  return secure
}

function settled(socket: Socket, event: 'connect' | 'secureConnect'): Promise<void> {
  return new Promise((resolve, reject) => {
    socket.once('error', reject)
    socket.once(event, () => {
      socket.off('error', reject)
      resolve()
    })
  })
}

function timedOut(): Error {
  return Object.assign(new Error('the server does not answer'), { code: 'ETIMEDOUT' })
}
