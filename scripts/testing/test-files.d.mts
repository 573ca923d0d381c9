/** Types of `test-files.mjs`. */
export function allTests(): string[]
export function allColumns(): string[]
export function allFaults(): string[]
export function testsAt(paths: readonly string[], folder?: string): string[]
export function tierOf(path: string): string
export function isColumns(path: string): boolean
export function isShared(path: string): boolean
export function weightOf(path: string): number
