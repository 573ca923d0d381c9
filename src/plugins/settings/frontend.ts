/** Compiles `frontend.tsx`, the part of a plugin that runs in a browser, when it is saved. */
import { AppError } from '../../core/code.ts'
import {
  PLUGIN_COMPILE_MS,
  PLUGIN_COMPILES_MAX,
  PLUGIN_FRONTEND_CHARS_MAX,
} from '../../core/limits/limits.ts'
import { throttledDetail } from '../../wire/details.ts'
import { type Compiled, runCompiler } from './compiler.ts'

export type CompileFrontend = (source: string) => Promise<Compiled>

const COMPILER = {
  file: 'frontend.tsx',
  arguments: ['--loader=tsx', '--format=cjs', '--target=es2020'],
  /** JSX compiles to longer calls. An output past this bound comes from no genuine program. */
  outputCharsMax: 16 * PLUGIN_FRONTEND_CHARS_MAX,
}

/** Compiles a few sources at a time. */
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

async function compile(source: string): Promise<Compiled> {
  const answer = await runCompiler(source, COMPILER)
  return answer.error === null ? { compiled: asModule(answer.compiled), error: null } : answer
}

/** The function that a host calls with the modules that the frontend may import. */
function asModule(commonJs: string): string {
  return [
    'export function getFrontendApp(require) {',
    'const module = { exports: {} };',
    `((module, exports) => {\n${commonJs}})(module, module.exports);`,
    'return module.exports;',
    '}\n',
  ].join('\n')
}

/** The module that a browser loads. It exists also when there is nothing to show. */
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
