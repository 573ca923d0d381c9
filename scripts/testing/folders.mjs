// The folders in which the files of a run write: in memory where there is room.
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const MEMORY = '/dev/shm'
const MEMORY_BYTES_MIN = 4 * 1024 ** 3
/** As that of `/tmp`: servers of tests run under accounts of their own. */
const MODE = 0o1777

/** `sharedFolder` is for what is made once for all files; `remove` removes all of them. */
export function makeRunFolders() {
  const fast = make(hasRoomInMemory() ? MEMORY : tmpdir())
  const disk = make(tmpdir())
  let files = 0
  return {
    sharedFolder: below(fast, 'shared'),
    /** Folders of one file alone: `disk` is for tests about disks. */
    forFile() {
      files += 1
      return { temporary: below(fast, String(files)), disk: below(disk, String(files)) }
    },
    remove() {
      for (const folder of [fast, disk]) rmSync(folder, { recursive: true, force: true })
    },
  }
}

function make(parent) {
  const folder = mkdtempSync(join(parent, 'sluice-run-'))
  chmodSync(folder, MODE)
  return folder
}

function below(parent, name) {
  const folder = join(parent, name)
  mkdirSync(folder)
  chmodSync(folder, MODE)
  return folder
}

/** Whether the folder in memory is usable: containers often mount it too small, or noexec. */
function hasRoomInMemory() {
  try {
    const { bavail, bsize } = statfsSync(MEMORY)
    const mounts = readFileSync('/proc/mounts', 'utf8').split('\n')
    const options = mounts.findLast((line) => line.split(' ')[1] === MEMORY)?.split(' ')[3] ?? ''
    return bavail * bsize >= MEMORY_BYTES_MIN && !options.split(',').includes('noexec')
  } catch {
    return false // Not Linux.
  }
}
