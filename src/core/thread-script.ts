/**
 * Entry script of a worker thread. Built sources are plain JavaScript. `.ts` sources need a loader
 * that Node 20 does not pass on to threads, so the entry registers it again.
 * @param module the thread's module without its extension; the extension is that of `importer`.
 */
export function threadScript(module: string, importer: string): URL {
  if (!importer.endsWith('.ts')) return new URL(`${module}.js`, importer)
  const lines = [
    `import { register } from ${JSON.stringify(import.meta.resolve('tsx/esm/api'))}`,
    'register()',
    `await import(${JSON.stringify(new URL(`${module}.ts`, importer).href)})`,
  ]
  return new URL(`data:text/javascript,${encodeURIComponent(lines.join('\n'))}`)
}
