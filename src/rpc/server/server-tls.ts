/** TLS of the gRPC server, and its check for a certificate of the members' authority. */
import { ServerCredentials } from '@grpc/grpc-js'
import { AppError } from '../../core/code.ts'
import type { TlsMaterial } from '../../core/config/tls-files.ts'

/**
 * @param tls without a certificate: plain text. With an authority, any client may show a
 * certificate; only members must.
 * @throws {AppError} `failed_precondition` when the certificate and the key are no pair.
 */
export function serverCredentials({ cert, key, ca }: TlsMaterial): ServerCredentials {
  if (cert === undefined || key === undefined) return ServerCredentials.createInsecure()
  try {
    const pair = { cert_chain: cert, private_key: key }
    return ServerCredentials.createSsl(ca ?? null, [pair], ca !== undefined)
  } catch (cause) {
    throw new AppError('failed_precondition', 'the certificate of gRPC cannot be used', { cause })
  }
}
