/**
 * The browser library and its extensions, for pages that load them from their `api_host` by the
 * HTML snippet. They are the files of the `posthog-js` package; without it every name is unknown,
 * which clients bear.
 */
import { readdirSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import { createBoundedMap } from '../../src/core/bounded-map.ts'
import { acceptsGzip } from '../http/accepted-coding.ts'
import type { HttpReply, HttpRequest } from '../http/http-server.ts'
import type { RouteParams } from '../http/router.ts'
import type { KeyResolver } from '../keys/api-key.ts'
import { cachedReply, digestOf, notFound, SCRIPT_TYPE } from './cached-reply.ts'
import { CONFIG_MAX_AGE_S, findRemoteConfig } from './remote-config.ts'

/** Library scripts with a project's config in front, compressed: some 100 kB each. */
const ARRAY_SCRIPTS_MAX = 128

const LIBRARY = 'array.js'
/** The library, which a page's script tag starts by `data-key`. */
const PAGE = 'sluice.js'
const SCRIPT_MAX_AGE_S = 300
/** Version in `<version>/<name>`: newer clients ask by it for files of their own version. */
const VERSION = /^\d[0-9A-Za-z.+-]*$/

type Handler = (request: HttpRequest, body: Buffer, params: RouteParams) => Promise<HttpReply>

export type ScriptHandlers = {
  /** `/static/*path`: a script by its name, with or without a version before it, or `sluice.js`. */
  readonly named: Handler
  /** `/array/:token/array.js`: the library behind its remote config. */
  readonly array: Handler
}

type Script = {
  readonly digest: string
  readonly plain: () => Buffer
  readonly gzipped: () => Buffer | Promise<Buffer>
}

const compress: (content: Uint8Array) => Promise<Buffer> = promisify(gzip)

/**
 * @param folder its `*.js` files are listed once, and read and compressed when first asked for. No
 * other name is served, whatever a path holds. A folder that is missing is empty.
 */
export function createScripts(keys: KeyResolver, folder = installedFolder()): ScriptHandlers {
  const files = new Map(scriptNames(folder).map((name) => [name, join(folder, name)]))
  const scripts = new Map<string, Promise<Script>>()
  // By their text, so that a changed setting finds no older one. Compressed: the rest is at hand.
  const configured = createBoundedMap<string, Promise<Buffer>>({ entriesMax: ARRAY_SCRIPTS_MAX })

  const scriptIn = (file: string) => onceForKey(scripts, file, () => readScript(file))
  const behindConfig = (config: string, library: Script): Script => {
    const plain = () => Buffer.concat([Buffer.from(`${config}\n`), library.plain()])
    return {
      digest: digestOf(config, library.digest),
      plain,
      gzipped: () => onceForKey(configured, config, () => compress(plain())),
    }
  }

  return {
    async named(request, _body, { path = '' }) {
      const isPage = path === PAGE
      const file = files.get(isPage ? LIBRARY : (nameOf(path) ?? ''))
      if (file === undefined) return notFound(request)
      const script = await (isPage
        ? onceForKey(scripts, PAGE, () => readPage(file))
        : scriptIn(file))
      return scriptReply(request, script, SCRIPT_MAX_AGE_S)
    },
    async array(request, _body, { token = '' }) {
      const file = files.get(LIBRARY)
      if (file === undefined) return notFound(request)
      const config = await findRemoteConfig(keys, request, token)
      if (config.kind === 'refused') return config.reply
      const script = behindConfig(config.script, await scriptIn(file))
      return scriptReply(request, script, CONFIG_MAX_AGE_S, config.isOfPage)
    },
  }
}

async function readScript(file: string): Promise<Script> {
  return await scriptOf(await readFile(file))
}

async function readPage(library: string): Promise<Script> {
  return await scriptOf(Buffer.concat([await readFile(library), Buffer.from(`\n${PAGE_SCRIPT}`)]))
}

async function scriptOf(plain: Buffer): Promise<Script> {
  const gzipped = await compress(plain)
  return { digest: digestOf(plain), plain: () => plain, gzipped: () => gzipped }
}

async function scriptReply(
  request: HttpRequest,
  script: Script,
  maxAgeS: number,
  isOfPage = false,
): Promise<HttpReply> {
  const isGzip = acceptsGzip(request)
  return cachedReply(request, {
    type: SCRIPT_TYPE,
    body: isGzip ? await script.gzipped() : script.plain(),
    digest: script.digest,
    encoding: isGzip ? 'gzip' : 'identity',
    maxAgeS,
    isOfPage,
  })
}

/** `dist` of the package; a folder that is not there when it is not installed. */
function installedFolder(): string {
  try {
    const manifest = createRequire(import.meta.url).resolve('posthog-js/package.json')
    return join(dirname(manifest), 'dist')
  } catch {
    return '' // It is optional; no folder has an empty name.
  }
}

function scriptNames(folder: string): readonly string[] {
  try {
    return readdirSync(folder).filter((name) => name.endsWith('.js'))
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return []
    throw error
  }
}

function nameOf(path: string): string | undefined {
  const [first = '', second, ...more] = path.split('/')
  if (second === undefined) return first
  return more.length === 0 && VERSION.test(first) ? second : undefined
}

/** Calls `make` once for each key and keeps its promise. A failure is not kept. */
function onceForKey<V>(
  kept: {
    get(key: string): Promise<V> | undefined
    set(key: string, value: Promise<V>): unknown
    delete(key: string): unknown
  },
  key: string,
  make: () => Promise<V>,
): Promise<V> {
  const known = kept.get(key)
  if (known !== undefined) return known
  const made = make()
  kept.set(key, made)
  made.catch(() => kept.delete(key))
  return made
}

/** Runs behind the browser library in `/static/sluice.js`: starts it as its own tag says. */
const PAGE_SCRIPT = `;((script) => {
  const say = (text) => console.error('sluice.js: ' + text)
  const { key, options = '{}' } = script?.dataset ?? {}
  if (!key) return say('the script tag needs data-key="<project API key>"')
  try {
    const api_host = script.src.slice(0, script.src.lastIndexOf('/static/'))
    window.posthog.init(key, { api_host, ...JSON.parse(options) })
  } catch (error) {
    say('data-options is not JSON: ' + error.message)
  }
})(document.currentScript)
`
