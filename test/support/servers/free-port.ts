import { createServer } from 'node:net'

/**
 * Below those that the system gives to the near end of connections: a server that is away for a
 * moment would find its port taken by one, and a client that dials it then may even meet itself.
 */
const FIRST = 15_000
const COUNT = 17_000
const ATTEMPTS_MAX = 50

/** Of this process: nobody may listen on them yet. */
const given = new Set<number>()

/** A port of 127.0.0.1 that nobody listens on now, another one each time. */
export async function freePort(): Promise<number> {
  for (let attempt = 1; ; attempt += 1) {
    const port = FIRST + Math.floor(Math.random() * COUNT)
    if (given.has(port)) continue
    given.add(port)
    try {
      await tryListen(port)
      return port
    } catch (error) {
      if (attempt >= ATTEMPTS_MAX) throw error // Others are taken: another one is tried.
    }
  }
}

function tryListen(port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const server = createServer()
    server.once('error', reject)
    server.listen(port, '127.0.0.1', () => server.close(() => resolve()))
  })
}
