/** The part of a plugin that runs in a browser: `frontend.tsx`, compiled when it is saved. */
import { type ExecFileException, execFile } from 'node:child_process'
import { createRequire } from 'node:module'
import { dirname } from 'node:path'
import { AppError } from '../core/code.ts'
import { throttledDetail } from '../core/details.ts'
import {
  PLUGIN_COMPILE_KIB_MAX,
  PLUGIN_COMPILE_MS,
  PLUGIN_COMPILES_MAX,
  PLUGIN_FRONTEND_CHARS_MAX,
} from '../core/limits.ts'

/** JavaScript made of a source, or why there is none. */
export type Compiled =
  | { readonly compiled: string; readonly error: null }
  | { readonly compiled: null; readonly error: string }

export type CompileFrontend = (source: string) => Promise<Compiled>

/** JSX as long calls makes more of the source; larger still is no program that anybody wrote. */
const OUTPUT_CHARS_MAX = 16 * PLUGIN_FRONTEND_CHARS_MAX
const ARGUMENTS = [
  '--loader=tsx',
  '--format=cjs',
  '--target=es2020',
  '--sourcefile=frontend.tsx',
  '--charset=utf8',
  '--color=false',
  '--log-limit=1',
]
const TOO_COSTLY = 'frontend.tsx: compiling it takes more time or memory than a plugin may use.'

/**
 * Compiles with a process of its own for each source, bounded in time and memory. esbuild's
 * service, which all calls of a process share, does not come back after a source that nests too
 * deep for its stack, and some that are far smaller keep it busy for minutes.
 */
export function createFrontendCompiler(): CompileFrontend {
  let running = 0
  return async (source) => {
    if (running >= PLUGIN_COMPILES_MAX) {
      const detail = throttledDetail(Math.ceil(PLUGIN_COMPILE_MS / 1_000))
      throw new AppError('resource_exhausted', 'too many frontends are compiled', { detail })
    }
    running++
    try {
      return await compile(source)
    } finally {
      running--
    }
  }
}

/** Rejects when the compiler cannot be run; never for what the source holds. */
function compile(source: string): Promise<Compiled> {
  return new Promise((resolve, reject) => {
    const options = {
      timeout: PLUGIN_COMPILE_MS,
      killSignal: 'SIGKILL',
      maxBuffer: OUTPUT_CHARS_MAX,
      // Nothing of ours but where node is, should the compiler be a script.
      env: { PATH: dirname(process.execPath) },
      windowsHide: true,
    } as const
    const [command, ...before] = boundedCommand()
    const child = execFile(command, [...before, ...ARGUMENTS], options, (error, code, log) => {
      if (error === null) resolve({ compiled: asModule(code), error: null })
      else if (isNotRun(error)) reject(error)
      else resolve({ compiled: null, error: problemIn(log) ?? TOO_COSTLY })
    })
    // A compiler that ends before it has read everything says why by its exit.
    child.stdin?.on('error', () => undefined)
    child.stdin?.end(source)
  })
}

/** No process could be made, or the shell has not found the compiler: its own exit is 1 or 2. */
function isNotRun({ code }: ExecFileException): boolean {
  if (typeof code === 'string') return code !== 'ERR_CHILD_PROCESS_STDIO_MAXBUFFER'
  return code === 126 || code === 127
}

/** A shell sets the bound on data, where the system has one, and becomes the compiler. */
function boundedCommand(): [string, ...string[]] {
  const esbuild = createRequire(import.meta.url).resolve('esbuild/bin/esbuild')
  if (process.platform === 'win32') return [process.execPath, esbuild]
  const script = `ulimit -d ${PLUGIN_COMPILE_KIB_MAX} 2>/dev/null; exec "$0" "$@"`
  return ['/bin/sh', '-c', script, esbuild]
}

/** `✘ [ERROR] text`, an empty line, then the place. */
function problemIn(log: string): string | undefined {
  const match = /\[ERROR\] ([^\n]{1,1000})[^\n]*\n\n {4}(frontend\.tsx:\d+:\d+)/.exec(log)
  return match === null ? undefined : `${match[2]}: ${match[1]}`
}

/** What a host calls, handing in what the frontend may import. */
function asModule(commonJs: string): string {
  return [
    'export function getFrontendApp(require) {',
    'const module = { exports: {} };',
    `((module, exports) => {\n${commonJs}})(module, module.exports);`,
    'return module.exports;',
    '}\n',
  ].join('\n')
}

/** The module that a browser loads, whatever there is to show. */
export function frontendModule(
  file: { readonly compiled: string | null; readonly error: string | null } | undefined,
): string {
  if (file === undefined) return stub({ no_frontend: true })
  if (file.error !== null) return stub({ error: file.error })
  return file.compiled ?? stub({ transpiling: true })
}

function stub(app: object): string {
  return `export function getFrontendApp() {\n  return ${JSON.stringify(app)};\n}\n`
}
