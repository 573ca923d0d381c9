/** Runs esbuild over a source, which may be hostile. */
import { type ExecFileException, execFile } from 'node:child_process'
import { createRequire } from 'node:module'
import { dirname } from 'node:path'
import { PLUGIN_COMPILE_MS } from '../../core/limits/limits.ts'

/** Data of compiling, in KiB. */
const PLUGIN_COMPILE_KIB_MAX = 393_216

/** The compiled JavaScript, or the error of the source. */
export type Compiled =
  | { readonly compiled: string; readonly error: null }
  | { readonly compiled: null; readonly error: string }

export type CompilerOptions = {
  /** The file name in errors. */
  readonly file: string
  /** Arguments of esbuild, without `--sourcefile` and those about the output. */
  readonly arguments: readonly string[]
  readonly outputCharsMax: number
}

/**
 * Compiles each source in its own process, bounded in time and memory. The service of esbuild,
 * which all calls of a process share, never returns from a source that nests too deep for its
 * stack, and much smaller sources can keep it busy for minutes. Rejects when the compiler cannot
 * run, and never because of the source.
 */
export function runCompiler(source: string, compiler: CompilerOptions): Promise<Compiled> {
  return new Promise((resolve, reject) => {
    const options = {
      timeout: PLUGIN_COMPILE_MS,
      killSignal: 'SIGKILL',
      maxBuffer: compiler.outputCharsMax,
      // The compiler gets only the path of node, which it needs when it is a script.
      env: { PATH: dirname(process.execPath) },
      windowsHide: true,
    } as const
    const [command, ...before] = boundedCommand()
    const given = [...before, ...compiler.arguments, `--sourcefile=${compiler.file}`, ...OUTPUT]
    const child = execFile(command, given, options, (error, code, log) => {
      if (error === null) resolve({ compiled: code, error: null })
      else if (isNotRun(error)) reject(error)
      else resolve({ compiled: null, error: problemIn(log) ?? tooCostly(compiler.file) })
    })
    // A compiler that ends before it has read everything reports the reason by its exit.
    child.stdin?.on('error', () => undefined)
    child.stdin?.end(source)
  })
}

const OUTPUT = ['--charset=utf8', '--color=false', '--log-limit=1']

function tooCostly(file: string): string {
  return `${file}: compiling it takes more time or memory than a plugin may use.`
}

/**
 * No process could be started, or the shell has not found the compiler. The compiler's own exit is
 * 1 or 2.
 */
function isNotRun({ code }: ExecFileException): boolean {
  if (typeof code === 'string') return code !== 'ERR_CHILD_PROCESS_STDIO_MAXBUFFER'
  return code === 126 || code === 127
}

/** Shell command that bounds the data segment, where the system can, and becomes the compiler. */
function boundedCommand(): [string, ...string[]] {
  const esbuild = createRequire(import.meta.url).resolve('esbuild/bin/esbuild')
  if (process.platform === 'win32') return [process.execPath, esbuild]
  const script = `ulimit -d ${PLUGIN_COMPILE_KIB_MAX} 2>/dev/null; exec "$0" "$@"`
  return ['/bin/sh', '-c', script, esbuild]
}

/** Reads `✘ [ERROR] text`, an empty line, and the place. */
function problemIn(log: string): string | undefined {
  const match = /\[ERROR\] ([^\n]{1,1000})[^\n]*\n\n {4}([\w.-]+:\d+:\d+)/.exec(log)
  return match === null ? undefined : `${match[2]}: ${match[1]}`
}
