/** The built console: the HTML of its shell, and the files that the HTML and the scripts name. */
import { readdirSync, readFileSync } from 'node:fs'
import { extname, join } from 'node:path'
import { assert } from '../../src/core/code.ts'

/** Codings in the order in which they are preferred. */
export const CODINGS = ['br', 'gzip'] as const
export type Coding = (typeof CODINGS)[number]

export type ConsoleFile = {
  readonly type: string
  readonly plain: Buffer
  readonly coded: Readonly<Record<Coding, Buffer>>
}

export type ConsoleFiles = {
  /** The HTML around each place of the nonce. */
  readonly shell: readonly string[]
  /** By name, without the folder. */
  readonly assets: ReadonlyMap<string, ConsoleFile>
}

const NONCE_PLACE = '{{nonce}}'
const TYPES: Readonly<Record<string, string>> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
}
const ENDINGS: Readonly<Record<Coding, string>> = { br: '.br', gzip: '.gz' }

/**
 * The HTML around each place of the nonce.
 * @returns undefined where the product was not built.
 */
export function readShell(folder: string): readonly string[] | undefined {
  let html: string
  try {
    html = readFileSync(join(folder, 'index.html'), 'utf8')
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined
    throw error
  }
  const shell = html.split(NONCE_PLACE)
  assert(shell.length > 1, 'the HTML of the console has places for a nonce')
  return shell
}

/**
 * Reads all of it, so that no request waits for a disk and none names a file of the machine.
 * @returns undefined where the product was not built.
 */
export function readConsoleFiles(folder: string): ConsoleFiles | undefined {
  const shell = readShell(folder)
  if (shell === undefined) return undefined
  const from = join(folder, 'assets')
  const assets = new Map<string, ConsoleFile>()
  for (const name of readdirSync(from)) {
    const type = TYPES[extname(name)]
    if (type !== undefined) assets.set(name, readAsset(join(from, name), type))
  }
  return { shell, assets }
}

function readAsset(path: string, type: string): ConsoleFile {
  const read = (ending: string) => readFileSync(path + ending)
  return {
    type,
    plain: read(''),
    coded: { br: read(ENDINGS.br), gzip: read(ENDINGS.gzip) },
  }
}
