import { createReadStream, existsSync, statSync } from 'node:fs'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { extname, join, normalize } from 'node:path'
import { packageRoot } from '../../../src/core/package-root.ts'
import { clientsCache } from './installed.ts'

/** Serves pages of tests and the libraries that they load, from an origin of their own. */
export type PageServer = {
  /** Shows `html` at `path` from now on; answers its URL. */
  show(path: string, html: string): string
  /** Path of a file of an unpacked browser package. */
  libraryPath(name: string, version: string, file: string): string
  /** Path of a driver that runs in the page. */
  driverPath(file: string): string
  close(): Promise<void>
}

const FOLDERS: Readonly<Record<string, string>> = {
  '/lib/': join(clientsCache, 'browser'),
  '/drivers/': join(packageRoot, 'test', 'clients', 'drivers'),
}
const SCRIPTS = ['.js', '.mjs', '.cjs']

export async function startPageServer(): Promise<PageServer> {
  const pages = new Map<string, string>()
  const server = createServer((request, response) => {
    const path = decodeURIComponent(new URL(request.url ?? '/', 'http://page').pathname)
    const page = pages.get(path)
    if (page !== undefined) {
      response.setHeader('content-type', 'text/html; charset=utf-8').end(page)
    } else if (path === '/favicon.ico') {
      response.writeHead(204).end()
    } else {
      sendScript(response, scriptOf(path))
    }
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    show(path, html) {
      pages.set(path, html)
      return `http://127.0.0.1:${port}${encodeURI(path)}`
    },
    libraryPath: (name, version, file) => `/lib/${name}@${version}/${file}`,
    driverPath: (file) => `/drivers/${file}`,
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

function scriptOf(path: string): string | undefined {
  const start = Object.keys(FOLDERS).find((each) => path.startsWith(each))
  if (start === undefined || !SCRIPTS.includes(extname(path))) return undefined
  const folder = FOLDERS[start] ?? ''
  const file = normalize(join(folder, path.slice(start.length)))
  return file.startsWith(folder) && existsSync(file) ? file : undefined
}

function sendScript(response: ServerResponse, file: string | undefined): void {
  if (file === undefined) {
    response.writeHead(404).end()
    return
  }
  response.writeHead(200, {
    'content-type': 'text/javascript; charset=utf-8',
    'content-length': statSync(file).size,
  })
  createReadStream(file).pipe(response)
}
