import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { packageRoot } from '../../../src/core/package-root.ts'
import { aliasOf, type Client } from '../catalogue.ts'

/** Where `scripts/clients.mjs` has put the libraries. */
export const clientsCache = join(packageRoot, 'node_modules', '.cache', 'sluice', 'clients')

/** The newest version, or every one when all are asked for (`npm run test:clients`). */
export function versionsOf(client: Client): readonly string[] {
  const wantsAll = process.env['SLUICE_CLIENTS'] === 'all'
  return wantsAll ? [...client.older, client.newest] : [client.newest]
}

/** Folder whose `node_modules` hold a version of a Node library under its alias. */
export function librariesFolder({ newest }: Client, version: string): string {
  return join(clientsCache, version === newest ? 'newest' : 'older')
}

/** Entry point of an installed Node library, to be required or imported. */
export function entryOf(client: Client, version: string): string {
  const manifest = join(librariesFolder(client, version), 'package.json')
  return createRequire(manifest).resolve(aliasOf(client.name, version))
}

/** Folder of an unpacked browser package. */
export function bundleFolder({ name }: Client, version: string): string {
  return present(join(clientsCache, 'browser', `${name}@${version}`))
}

function present(path: string): string {
  if (existsSync(path)) return path
  throw new Error(`${path} is missing: run the test by npm test or npm run test:clients`)
}
