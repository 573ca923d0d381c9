/** Reads the files of certificates and credentials that settings name. */
import { readFileSync } from 'node:fs'
import { AppError } from '../code.ts'
import type { TlsFiles } from './tls-settings.ts'

/** Contents of the files. */
export type TlsMaterial = {
  readonly cert?: Buffer
  readonly key?: Buffer
  readonly ca?: Buffer
}

/** @throws {AppError} `failed_precondition` that names the file. */
export function readTlsFiles({ cert, key, ca }: TlsFiles): TlsMaterial {
  return {
    ...(cert === undefined ? {} : { cert: readSecretFile(cert) }),
    ...(key === undefined ? {} : { key: readSecretFile(key) }),
    ...(ca === undefined ? {} : { ca: readSecretFile(ca) }),
  }
}

/** @throws {AppError} `failed_precondition` that names the file. */
export function readSecretFile(path: string): Buffer {
  try {
    return readFileSync(path)
  } catch (cause) {
    throw new AppError('failed_precondition', `the file ${path} cannot be read`, { cause })
  }
}
