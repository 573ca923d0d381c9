import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Test } from 'tap'
import { packageRoot } from '../../../src/core/package-root.ts'
import { testFolder } from '../../support/servers/product.ts'
import { aliasOf, type Client } from '../catalogue.ts'
import { runProgram } from './child.ts'
import { librariesFolder } from './installed.ts'
import type { World } from './world.ts'

/** Placeholders in the files of `snippets/` for their reader's own values. */
const PLACEHOLDERS = { key: 'phc_your_project_key', url: 'http://localhost:8000' }
/** The event that every snippet for events sends, once. */
export const SNIPPET_EVENT = 'order placed'

/** Text of a file of `snippets/`, pointed at the running product. */
export function snippetFor(world: World, file: string): string {
  const text = readFileSync(join(packageRoot, 'test', 'clients', 'snippets', file), 'utf8')
  const { key, url } = PLACEHOLDERS
  for (const placeholder of [key, url]) {
    if (!text.includes(placeholder)) throw new Error(`${file} is without ${placeholder}`)
  }
  return text.replaceAll(key, world.product.projectKey).replaceAll(url, world.product.url)
}

export type Snippet = {
  readonly file: string
  readonly client: Client
  readonly version: string
  readonly world: World
  /** Other packages that it imports, which are installed with the library. */
  readonly peers?: readonly string[]
}

/**
 * Runs a snippet for Node as its reader would: copied to a folder in which the library is installed
 * under its own name. Answers what it printed.
 * @throws {Error} with its output when it fails.
 */
export async function runSnippet(t: Test, snippet: Snippet): Promise<string> {
  const { file, client, version, world, peers = [] } = snippet
  const libraries = librariesFolder(client, version)
  const folder = testFolder(t)
  const link = (name: string, installed: string) => {
    const path = join(folder, 'node_modules', name)
    mkdirSync(dirname(path), { recursive: true })
    symlinkSync(join(libraries, 'node_modules', installed), path)
  }
  link(client.name, aliasOf(client.name, version))
  for (const peer of peers) link(peer, peer)
  writeFileSync(join(folder, file), snippetFor(world, file))
  return await runProgram([process.execPath, file], { folder })
}

/** Runs a snippet, and checks that its event is stored, with its total. */
export async function checkSnippet(t: Test, snippet: Snippet): Promise<void> {
  await runSnippet(t, snippet)
  const [event] = await snippet.world.waitForEvents(SNIPPET_EVENT, 1)
  t.match(event, { distinct_id: 'user-1', properties: { total: 12.5 } })
}
