/** Dialling of a gRPC server: in plain text, or with TLS. */
import { type ChannelCredentials, type ClientOptions, credentials } from '@grpc/grpc-js'
import { readTlsFiles } from '../core/config/tls-files.ts'
import type { SecuritySettings } from '../core/config/tls-settings.ts'

export type Dial = { readonly credentials: ChannelCredentials; readonly options: ClientOptions }

export function plaintextDial(): Dial {
  return { credentials: credentials.createInsecure(), options: {} }
}

/**
 * Dials with TLS when there is a certificate or an authority of the members. Shows the certificate
 * to servers that ask for one. Without an authority, those that Node.js knows are trusted.
 * @throws {AppError} `failed_precondition` when a file is unreadable or invalid.
 */
export function memberDial(settings: SecuritySettings['grpc']): Dial {
  if (settings.cert === undefined && settings.ca === undefined) return plaintextDial()
  const { cert = null, key = null, ca = null } = readTlsFiles(settings)
  const { serverName } = settings
  return {
    credentials: credentials.createSsl(ca, key, cert),
    options:
      serverName === undefined
        ? {}
        : {
            'grpc.ssl_target_name_override': serverName,
            'grpc.default_authority': serverName,
          },
  }
}
