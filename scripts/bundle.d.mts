/** Writes the bundle below `out`; `entries`, relative to the package, are the product's by default. */
export function bundle(out: string, entries?: readonly string[]): Promise<void>

/** @param read the source of a module by its path, relative to the package. */
export function withConstants(text: string, read: (path: string) => string): string
