/** Where test files write. `npm test` names folders and removes them; else all is the system's one. */
import { tmpdir } from 'node:os'

/** Of this file alone, in memory where there is room. */
export function ownFolder(): string {
  return tmpdir()
}

/** Of all files of the run: for what is made once. */
export function sharedFolder(): string {
  return process.env['SLUICE_TEST_SHARED'] ?? tmpdir()
}

/** Of this file alone, on a disk: for what must reach one. */
export function diskFolder(): string {
  return process.env['SLUICE_TEST_DISK'] ?? tmpdir()
}
