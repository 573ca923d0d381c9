/** Writes and reads the compressed file of a backup. */
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createReadStream } from 'node:fs'
import { type FileHandle, open, rename, rm, stat } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { pipeline } from 'node:stream'
import { createGunzip, createGzip, type Gzip } from 'node:zlib'
import { damaged, notABackup } from '../../backup/backup-format.ts'
import type { BackupSource } from '../../backup/backup-reader.ts'
import { AppError } from '../../core/code.ts'
import { UsageError } from '../command-end.ts'

/** Writes text to the compressed stream; resolves when it accepts more. */
export type Write = (text: string) => Promise<void>

/** Gzip level, 1 to 9: higher ones take several times as long for a tenth less. */
const GZIP_LEVEL = 3
const GUNZIP_CHUNK_BYTES = 262_144

/**
 * Writes a file that only its owner can read, and moves it into place when it is whole and on disk:
 * an existing file stays when `produce` fails.
 * @throws {UsageError} when the path cannot be that of a file; errors of the disk and of `produce`.
 */
export async function writeCompressedFile<T>(
  path: string,
  produce: (write: Write) => Promise<T>,
): Promise<T> {
  const present = await stat(path).catch(() => undefined) // Missing, as a rule.
  if (present !== undefined && !present.isFile()) {
    throw new UsageError(`${path} is not a file; use - to write to standard output`)
  }
  const partial = join(dirname(path), `.${basename(path)}.${randomUUID()}.partial`)
  const file = await create(partial)
  try {
    const result = await compress((chunk) => file.writeFile(chunk), produce)
    await file.sync()
    await file.close()
    await rename(partial, path)
    return result
  } catch (error) {
    await file.close()
    await rm(partial, { force: true })
    throw error
  }
}

async function create(path: string): Promise<FileHandle> {
  try {
    return await open(path, 'wx', 0o600)
  } catch (cause) {
    throw new AppError('failed_precondition', `cannot write to ${dirname(path)}`, { cause })
  }
}

/** @throws {UsageError} when standard output is a terminal. */
export async function writeCompressedOutput<T>(produce: (write: Write) => Promise<T>): Promise<T> {
  const { stdout } = process
  if (stdout.isTTY)
    throw new UsageError('standard output is a terminal: name a file, or redirect it')
  const send = (chunk: Buffer) =>
    new Promise<void>((resolve, reject) => {
      stdout.write(chunk, (error) => (error instanceof Error ? reject(error) : resolve()))
    })
  return await compress(send, produce)
}

async function compress<T>(
  send: (chunk: Buffer) => Promise<void>,
  produce: (write: Write) => Promise<T>,
): Promise<T> {
  const gzip = createGzip({ level: GZIP_LEVEL })
  const sent = sendAll(gzip, send)
  // Awaited by the next write that finds it full, or at the end.
  sent.catch(() => {})
  try {
    const result = await produce(async (text) => {
      if (!gzip.write(text)) await Promise.race([once(gzip, 'drain'), sent])
    })
    gzip.end()
    await sent
    return result
  } catch (error) {
    gzip.destroy()
    await sent.catch(() => {
      // Cut short, or the very error that is thrown here.
    })
    throw error
  }
}

async function sendAll(gzip: Gzip, send: (chunk: Buffer) => Promise<void>): Promise<void> {
  for await (const chunk of gzip) await send(chunk as Buffer)
}

/**
 * Reads a compressed backup, each time from its beginning.
 * @throws {AppError} `failed_precondition` when it is unreadable, cut short or no backup; the
 * reason of `signal` when that aborts.
 */
export function compressedFile(path: string, signal: AbortSignal): BackupSource {
  return async function* () {
    const gunzip = createGunzip({ chunkSize: GUNZIP_CHUNK_BYTES })
    pipeline(createReadStream(path), gunzip, () => {
      // A failure destroys `gunzip`, and is thrown by the loop that reads it.
    })
    try {
      for await (const chunk of gunzip) {
        signal.throwIfAborted()
        yield chunk as Buffer
      }
    } catch (error) {
      throw explained(error, path)
    } finally {
      gunzip.destroy()
    }
  }
}

function explained(error: unknown, path: string): unknown {
  if (!(error instanceof Error) || !('code' in error) || error instanceof AppError) return error
  if (error.code === 'Z_BUF_ERROR') return damaged('it is cut short', error)
  if (error.code === 'Z_DATA_ERROR') {
    return error.message.includes('header') ? notABackup() : damaged('it cannot be unpacked', error)
  }
  if (!('syscall' in error)) return error
  return new AppError('failed_precondition', `cannot read ${path}`, { cause: error })
}
