/** An SMTP server that keeps what it receives. */
import { once } from 'node:events'
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net'
import { SMTPServer } from 'smtp-server'
import type { Test } from 'tap'

export type ReceivedMail = {
  readonly from: string
  readonly to: readonly string[]
  /** As received, without the doubled dots. */
  readonly raw: string
}

/** A mail server that can be killed and started again on the same port. */
export type MailServer = {
  readonly url: string
  /** Every mail taken so far. */
  readonly received: readonly ReceivedMail[]
  /** Recipients that are refused from now on, with the code of the refusal. */
  readonly refused: Map<string, number>
  /** Resolves once so many mails have been taken, with all of them. */
  until(count: number): Promise<readonly ReceivedMail[]>
  kill(): Promise<void>
  start(): Promise<void>
}

/** Listens on a free port of the loopback until `t` ends. */
export async function startMailServer(t: Test): Promise<MailServer> {
  const received: ReceivedMail[] = []
  const refused = new Map<string, number>()
  const waiting = new Set<() => void>()
  let server = newServer(received, refused, waiting)
  let port = await listen(server, 0)
  let isUp = true
  const kill = async () => {
    if (!isUp) return
    isUp = false
    for (const connection of server.connections) connection._socket.destroy()
    await new Promise<void>((resolve) => server.close(resolve))
  }
  t.teardown(kill)
  return {
    url: `smtp://127.0.0.1:${port}`,
    received,
    refused,
    async until(count) {
      while (received.length < count) {
        await new Promise<void>((resolve) => waiting.add(resolve))
      }
      return received
    },
    kill,
    async start() {
      server = newServer(received, refused, waiting)
      port = await listen(server, port)
      isUp = true
    },
  }
}

function newServer(
  received: ReceivedMail[],
  refused: ReadonlyMap<string, number>,
  waiting: Set<() => void>,
): SMTPServer {
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS', 'AUTH'],
    onRcptTo({ address }, _session, done) {
      const responseCode = refused.get(address)
      if (responseCode === undefined) done()
      else done(Object.assign(new Error(`<${address}> is refused`), { responseCode }))
    },
    async onData(stream, { envelope }, done) {
      const pieces: Buffer[] = []
      for await (const piece of stream) pieces.push(piece)
      const from = envelope.mailFrom === false ? '' : envelope.mailFrom.address
      const to = envelope.rcptTo.map(({ address }) => address)
      received.push({ from, to, raw: Buffer.concat(pieces).toString('utf8') })
      done()
      for (const wake of waiting) wake()
      waiting.clear()
    },
  })
  server.on('error', () => {
    // Some tests cut off a client in mid-session.
  })
  return server
}

async function listen(server: SMTPServer, port: number): Promise<number> {
  const listener = server.listen(port, '127.0.0.1')
  await once(listener, 'listening')
  return portOf(listener)
}

/** Accepts connections and sends nothing, as a server behind a broken firewall does. */
export async function startSilentServer(t: Test) {
  const sockets: Socket[] = []
  const server = createServer((socket) => {
    sockets.push(socket)
    socket.on('error', () => {
      // Cut off by the client, as expected.
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.teardown(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  return { server, sockets, url: `smtp://127.0.0.1:${portOf(server)}` }
}

function portOf(server: Server): number {
  const address: AddressInfo | string | null = server.address()
  if (address === null || typeof address === 'string') throw new Error('listens on no port')
  return address.port
}

/** The headers of a mail, unfolded, in their order; and the text as its reader sees it. */
export function readMail(raw: string): {
  readonly headers: readonly (readonly [name: string, value: string])[]
  readonly text: string
} {
  const end = raw.indexOf('\r\n\r\n')
  const lines = raw
    .slice(0, end)
    .replace(/\r\n[ \t]/g, ' ')
    .split('\r\n')
  const headers = lines.map((line) => {
    const at = line.indexOf(':')
    return [line.slice(0, at).toLowerCase(), line.slice(at + 1).trim()] as const
  })
  const encoding = headers.find(([name]) => name === 'content-transfer-encoding')?.[1]
  return { headers, text: decode(raw.slice(end + 4), encoding ?? '7bit') }
}

function decode(body: string, encoding: string): string {
  switch (encoding) {
    case 'base64':
      return Buffer.from(body, 'base64').toString('utf8')
    case 'quoted-printable': {
      const bytes = body
        .replace(/=\r\n/g, '')
        .replace(/=([0-9A-F]{2})/g, (_, hex: string) =>
          String.fromCharCode(Number.parseInt(hex, 16)),
        )
      return Buffer.from(bytes, 'latin1').toString('utf8')
    }
    default:
      return body
  }
}
