/** The compiler that the rules of the source and the picture of the rooms use. */
import { createRequire } from 'node:module'

/**
 * The compiler of TypeScript. It is required, not imported: the loader of ES modules would read its
 * nine megabytes once more to find their names.
 */
export const compiler = createRequire(import.meta.url)('typescript') as typeof import('typescript')
