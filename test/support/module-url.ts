/** Finds modules of the tests, as sources and as transpiled files. */
import { fileURLToPath } from 'node:url'

/**
 * URL of a module of the tests. `npm test` runs transpiled twins, which end in `.js`.
 * @param specifier relative to `importer`, and ends in `.ts`.
 */
export function moduleUrl(specifier: string, importer: string): URL {
  return new URL(isSource(importer) ? specifier : specifier.replace(/ts$/, 'js'), importer)
}

/** Arguments for a Node process that runs such a module. */
export function moduleArgs(specifier: string, importer: string): readonly string[] {
  const file = fileURLToPath(moduleUrl(specifier, importer))
  return isSource(importer) ? ['--import=tsx', file] : ['--enable-source-maps', file]
}

function isSource(module: string): boolean {
  return module.endsWith('.ts')
}
