/** Types of `batched-output.mjs`. */
import type { Writable } from 'node:stream'

export function batchedOutput(target: { write(text: string): unknown }): Writable
