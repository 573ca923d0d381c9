import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { packageRoot } from './package-root.ts'

/** Version of this binary, from package.json. */
export function packageVersion(): string {
  const content: unknown = JSON.parse(readFileSync(join(packageRoot, 'package.json'), 'utf8'))
  const isPackage = typeof content === 'object' && content !== null && 'version' in content
  return isPackage ? String(content.version) : 'unknown'
}
