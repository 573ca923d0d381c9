/** The log file of the embedded Postgres. */
import { appendFile, rename, stat } from 'node:fs/promises'
import type { Log } from '../core/log.ts'

export type LogFile = {
  /** Never blocks and never throws. Text past the bound is dropped and counted. */
  write(text: string): void
  /** Resolves when all written text is in the file. */
  close(): Promise<void>
}

export type LogFileOptions = { readonly path: string; readonly bytesMax: number }

/**
 * Appends to `path`. When the file would exceed `bytesMax`, it becomes `path.1` and a new one
 * starts. At most `bytesMax` wait in memory while the disk is slow.
 */
export function createLogFile({ path, bytesMax }: LogFileOptions, log: Log): LogFile {
  let waiting: string[] = []
  let waitingBytes = 0
  let droppedBytes = 0
  let writing: Promise<void> | undefined
  let failed = false

  const flush = async () => {
    while (waiting.length > 0) {
      const text = waiting.join('')
      waiting = []
      waitingBytes = 0
      try {
        await append(text)
        failed = false
      } catch (error) {
        if (!failed) log.warn('the log of Postgres cannot be written', { path, error })
        failed = true // Logged once; Postgres continues without its log.
      }
    }
    writing = undefined
  }
  const append = async (text: string) => {
    const size = await stat(path).then(
      (entry) => entry.size,
      () => 0,
    )
    if (size > 0 && size + Buffer.byteLength(text) > bytesMax) await rename(path, `${path}.1`)
    const gap = droppedBytes === 0 ? '' : `(${droppedBytes} bytes dropped)\n`
    droppedBytes = 0
    await appendFile(path, gap + text, { mode: 0o600 })
  }

  return {
    write(text) {
      const bytes = Buffer.byteLength(text)
      if (waitingBytes + bytes > bytesMax) {
        droppedBytes += bytes
        return
      }
      waiting.push(text)
      waitingBytes += bytes
      writing ??= flush()
    },
    close: async () => {
      await writing
    },
  }
}
