/** Finds the process of this machine that listens on a port, in `/proc` of Linux. */
import { readdir, readFile, readlink } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { printable } from '../../core/logging/printable.ts'

export type PortHolder = { readonly pid: number; readonly program: string }

const LISTENING = '0A'
/** Columns of `/proc/net/tcp`. */
const ADDRESS = 1
const STATE = 3
const INODE = 9

/**
 * The process that listens on a TCP port. Undefined where it cannot be known: on another system, or
 * when it is another user's and this process may not look. Never rejects.
 * @param proc only a test gives another folder.
 */
export async function findPortHolder(
  port: number,
  proc = '/proc',
): Promise<PortHolder | undefined> {
  try {
    const tables = ['tcp', 'tcp6'].map((name) => readFile(join(proc, 'net', name), 'utf8'))
    const read = await Promise.allSettled(tables)
    const texts = read.flatMap((table) => (table.status === 'fulfilled' ? [table.value] : []))
    const sockets = new Set(texts.flatMap((text) => listening(text, port)))
    return sockets.size === 0 ? undefined : await holderOf(sockets, proc)
  } catch {
    return undefined // The message does without it.
  }
}

/** The links by which a process holds the sockets that listen on the port. */
function listening(table: string, port: number): readonly string[] {
  const suffix = `:${port.toString(16).toUpperCase().padStart(4, '0')}`
  return table.split('\n').flatMap((line) => {
    const cells = line.trim().split(/\s+/)
    const isIt = cells[STATE] === LISTENING && cells[ADDRESS]?.endsWith(suffix) === true
    return isIt ? [`socket:[${cells[INODE]}]`] : []
  })
}

async function holderOf(
  sockets: ReadonlySet<string>,
  proc: string,
): Promise<PortHolder | undefined> {
  for (const name of await readdir(proc)) {
    if (!/^\d+$/.test(name)) continue
    const links = await linksOf(join(proc, name, 'fd'))
    if (!links.some((link) => sockets.has(link))) continue
    return { pid: Number(name), program: await programOf(join(proc, name)) }
  }
  return undefined
}

/** Empty for a process of another user, and for one that has ended. */
async function linksOf(folder: string): Promise<readonly string[]> {
  const names = await readdir(folder).catch(() => [])
  return await Promise.all(names.map((name) => readlink(join(folder, name)).catch(() => '')))
}

/** The program alone: arguments may hold passwords. */
async function programOf(folder: string): Promise<string> {
  const path = await readlink(join(folder, 'exe')).catch(() => '')
  if (path !== '') return printable(basename(path))
  const name = await readFile(join(folder, 'comm'), 'utf8').catch(() => 'a process')
  return printable(name.trim())
}
