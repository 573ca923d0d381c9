// Turns TypeScript into JavaScript twins of the same path: types are removed, imports of
// `.ts` name the `.js` twin, nothing is bundled. Types are checked by `npm run typecheck`.
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { build } from 'esbuild'
import { filesIn, root } from './ensure.mjs'

/** As esbuild prints imports: one statement a line, in double quotes. */
const STATEMENT = /^((?:import|export|\}) [^\n]*?from |import )"(\.[^"\n]*)"/gm
const DYNAMIC = /(\bimport\()"(\.[^"\n]*)"(?=\))/g

/** Sources of these folders; paths, as everywhere here, are relative to the package. */
export function sourcesOf(folders) {
  return folders
    .flatMap((folder) => filesIn(join(root, folder)))
    .filter((path) => path.endsWith('.ts') && !path.endsWith('.d.ts'))
    .map((path) => relative(root, path))
}

/** Where the twin of a source is below `out`. */
export function twinOf(path, out) {
  return join(out, path.replace(/\.ts$/, '.js'))
}

/**
 * Writes the twins of `paths` below `out`, with source maps.
 * @returns what each of them imports.
 */
export async function transpile(paths, out, { sourcesContent }) {
  if (paths.length === 0) return new Map()
  const { outputFiles } = await build({
    entryPoints: paths,
    absWorkingDir: root,
    outdir: out,
    outbase: root,
    format: 'esm',
    platform: 'node',
    target: 'es2022',
    sourcemap: 'linked',
    sourcesContent,
    write: false,
    logLevel: 'error',
  })
  const texts = new Map(outputFiles.map(({ path, text }) => [path, text]))
  return new Map(paths.map((path) => [path, writeTwin(path, twinOf(path, out), texts)]))
}

function writeTwin(path, twin, texts) {
  const { text, imports } = retargeted(texts.get(twin), (specifier) => {
    const target = resolve(root, dirname(path), specifier)
    return { path: relative(root, target), url: pathToFileURL(target).href }
  })
  mkdirSync(dirname(twin), { recursive: true })
  writeFileSync(`${twin}.map`, texts.get(`${twin}.map`))
  writeFileSync(twin, text)
  return imports
}

/**
 * Points imports of `.ts` at the `.js` beside them, and those of other files at where these lie.
 * @param locate the path and the URL of what a specifier names.
 * @returns the new text, and the paths of all it imports.
 */
export function retargeted(text, locate) {
  const imports = new Set()
  const replace = (_, before, specifier) => {
    const { path, url } = locate(specifier)
    imports.add(path)
    return `${before}"${specifier.endsWith('.ts') ? specifier.replace(/ts$/, 'js') : url}"`
  }
  const replaced = text.replace(STATEMENT, replace).replace(DYNAMIC, replace)
  return { text: replaced, imports: [...imports] }
}
