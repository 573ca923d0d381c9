/** A Postgres that is reached by TLS only, on a loopback address of its own. */
import { spawn } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { chmodSync, chownSync, copyFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { mkdtemp } from 'node:fs/promises'
import { join } from 'node:path'
import type { Test } from 'tap'
import { dataFolderArgument, writeSettings } from '../../../src/embedded/data-folder.ts'
import { ownFolder } from '../servers/folders.ts'
import { settingsFor } from '../servers/other-postgres.ts'
import { copyOfTemplate, NOT_DURABLE, SMALL } from '../servers/postgres-template.ts'
import type { Authority } from './certificates.ts'

/** Its certificate is for its address. */
export type TlsPostgres = { readonly host: string; readonly port: number }

const PORT = 5432
const READY = 'ready to accept connections'

/** @param asksFor authority whose certificates it requires of its clients. */
export async function startTlsPostgres(
  t: Test,
  authority: Authority,
  { asksFor }: { readonly asksFor?: Authority } = {},
): Promise<TlsPostgres> {
  const home = await mkdtemp(join(ownFolder(), 'sluice-test-tls-pg-'))
  const data = await copyOfTemplate(home)
  const { folder, account, binaries } = data
  // Every address of 127.0.0.0/8 is this machine: on one of its own the usual port is free.
  const host = `127.${randomInt(1, 255)}.${randomInt(0, 255)}.${randomInt(1, 255)}`
  const { cert, key } = authority.issue([`IP:${host}`])
  const { uid, gid } = statSync(folder)
  /** By its name in the folder: the account of the server may not pass through what is above. */
  const own = (from: string, name: string) => {
    const path = join(folder, name)
    copyFileSync(from, path)
    chownSync(path, uid, gid)
    chmodSync(path, 0o600)
    return name
  }
  const shown = asksFor === undefined ? '' : ' clientcert=verify-ca'
  writeFileSync(join(folder, 'pg_hba.conf'), `hostssl all all 127.0.0.0/8 trust${shown}\n`)
  await writeSettings(data, {
    ...settingsFor(binaries),
    ...SMALL,
    ...NOT_DURABLE,
    listen_addresses: host,
    port: String(PORT),
    unix_socket_directories: '',
    ssl: 'on',
    ssl_cert_file: own(cert, 'server.pem'),
    ssl_key_file: own(key, 'server.key'),
    ...(asksFor === undefined ? {} : { ssl_ca_file: own(asksFor.ca, 'clients.pem') }),
  })
  const args = ['-D', dataFolderArgument(account, folder)]
  const stdio: ['ignore', 'ignore', 'pipe'] = ['ignore', 'ignore', 'pipe']
  const child = spawn(binaries.postgres, args, { ...account, cwd: folder, stdio })
  const ended = once(child, 'exit')
  t.teardown(async () => {
    child.kill('SIGQUIT')
    await ended
    rmSync(home, { recursive: true, force: true })
  })
  let said = ''
  for await (const chunk of child.stderr.setEncoding('utf8')) {
    said += String(chunk)
    if (said.includes(READY)) break
  }
  if (!said.includes(READY)) throw new Error(`Postgres did not start:\n${said}`)
  return { host, port: PORT }
}
