/** Folders for test files. `npm test` names and removes them; else all are the system's one. */
import { tmpdir } from 'node:os'

/** Folder of this test file alone, in memory where there is room. */
export function ownFolder(): string {
  return tmpdir()
}

/** Folder shared by all files of the run, for what is made once. */
export function sharedFolder(): string {
  return process.env['SLUICE_TEST_SHARED'] ?? tmpdir()
}

/** Folder of this test file alone, on a disk, for what must reach one. */
export function diskFolder(): string {
  return process.env['SLUICE_TEST_DISK'] ?? tmpdir()
}
