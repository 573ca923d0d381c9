/** Types of `leftovers.mjs`. */
export type Started = { readonly group: number; readonly folders: readonly string[] }

export function processesOf(file: Started): number[]
export function endProcessesOf(file: Started): number
