/** Types of `test-files.mjs`. */
export function allTests(): string[]
export function allColumns(): string[]
export function allFaults(): string[]
export function testsAt(paths: readonly string[], folder?: string): string[]
export function tierOf(path: string): string
export function isColumns(path: string): boolean
export function isUnit(path: string): boolean
export function groupOf(path: string): string | undefined
export function weightOf(path: string): number
