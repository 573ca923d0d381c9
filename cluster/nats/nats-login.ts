/** Credentials of a process at NATS, and its check of the server's identity. */
import { checkServerIdentity, type PeerCertificate } from 'node:tls'
import { type ConnectionOptions, credsAuthenticator, nkeyAuthenticator } from 'nats'
import { readSecretFile, readTlsFiles } from '../../src/core/config/tls-files.ts'
import type { SecuritySettings } from '../../src/core/config/tls-settings.ts'
import type { ServerList } from './server-list.ts'

/**
 * Reads files. `NATS_CREDS` and `NATS_NKEY` take precedence over credentials in NATS_URL.
 * @throws {AppError} `failed_precondition` that names an unreadable file.
 */
export function loginOptions(
  list: ServerList,
  settings: SecuritySettings['nats'],
): Partial<ConnectionOptions> {
  return { ...credentialsOf(list, settings), ...encryptionOf(list, settings) }
}

/** The setting that a refused login is of. */
export function loginSetting({ creds, nkey }: SecuritySettings['nats']): string {
  if (creds !== undefined) return 'NATS_CREDS'
  return nkey === undefined ? 'NATS_URL' : 'NATS_NKEY'
}

function credentialsOf(
  { user, pass, token }: ServerList,
  { creds, nkey }: SecuritySettings['nats'],
): Partial<ConnectionOptions> {
  if (creds !== undefined) return { authenticator: credsAuthenticator(readSecretFile(creds)) }
  if (nkey !== undefined) {
    const seed = Buffer.from(readSecretFile(nkey).toString('latin1').trim(), 'latin1')
    return { authenticator: nkeyAuthenticator(seed) }
  }
  return {
    ...(user === undefined ? {} : { user }),
    ...(pass === undefined ? {} : { pass }),
    ...(token === undefined ? {} : { token }),
  }
}

/** Encrypted by `tls://`, or by files for it. The certificate is of a host in NATS_URL. */
function encryptionOf(
  { tls, servers }: ServerList,
  settings: SecuritySettings['nats'],
): Partial<ConnectionOptions> {
  const { cert, key, ca } = readTlsFiles(settings)
  if (!tls && cert === undefined && ca === undefined) return {}
  const options = {
    ...(cert === undefined ? {} : { cert: cert.toString() }),
    ...(key === undefined ? {} : { key: key.toString() }),
    ...(ca === undefined ? {} : { ca: ca.toString() }),
    // The client hands its options on to node:tls. By itself it knows servers by names only.
    checkServerIdentity: (_name: string, shown: PeerCertificate) => {
      const wrong = servers.map((server) => checkServerIdentity(hostOf(server), shown))
      return wrong.includes(undefined) ? undefined : wrong[0]
    },
  }
  return { tls: options }
}

/** @param server `host:port`, an IPv6 address in brackets. */
function hostOf(server: string): string {
  return server.replace(/:\d+$/, '').replace(/^\[(.*)\]$/, '$1')
}
