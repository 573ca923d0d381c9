/**
 * Loads uWebSockets.js. The package is one native file republished from the project's own release,
 * so the file is checked against the hash that was reviewed before any of its code runs.
 */
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { HTTP_HEADER_BYTES_MAX } from '../../src/core/limits/limits.ts'
import { err, ok, type Result } from '../../src/core/result.ts'
import type { Uws } from './uws-types.ts'

/** One build of the library: native code fits one major version of Node. */
type UwsBuild = {
  /** As package.json names it; npm installs the one that fits. */
  readonly packageName: string
  /** Checksum of its `uws.node`. */
  readonly sha256: string
  /** The oldest glibc that it runs on. */
  readonly glibc: string
}

/** By major version of Node, for Linux on x64. The C library of Debian 12 is 2.36. */
export const UWS_BUILDS: Readonly<Record<string, UwsBuild>> = {
  // 20.51.4, the only release of which Node 20 has a build.
  20: {
    packageName: 'uWebSockets.js',
    sha256: '4d482084b665c225892917ee0e9b9572d89eaa6f3dc200ff5e536293d3456c89',
    glibc: '2.27',
  },
  // 20.51.4 too: the builds of later releases need a newer glibc.
  22: {
    packageName: 'uws-node-22',
    sha256: 'f687e7c3666b5cca9d355184bbf07bb0550f5ba0d3ffd453248ccfec552dde6c',
    glibc: '2.27',
  },
  // 20.69.0.
  24: {
    packageName: 'uws-node-24',
    sha256: '177efdc682425d754474bd30f9586c487fa6694f790f3406a23885d0e61c07a0',
    glibc: '2.38',
  },
  26: {
    packageName: 'uws-node-26',
    sha256: '604375741bf77780b34e7e299af9274cb1f56d73732201d19e3d8d8448176795',
    glibc: '2.38',
  },
}

const require = createRequire(import.meta.url)

/** The build for this process. @throws where there is none, with the reason. */
export function uwsBuild(major: string = nodeMajor()): UwsBuild {
  const build = UWS_BUILDS[major]
  if (build === undefined) throw new Error(`there is no build of it for Node ${major}`)
  return build
}

/** Path of the native file. @throws when there is no build for this process or it is not installed. */
function uwsBinaryPath(): string {
  const { packageName } = uwsBuild()
  try {
    return join(dirname(require.resolve(`${packageName}/package.json`)), 'uws.node')
  } catch (error) {
    const message = `its build for Node ${nodeMajor()} on ${process.platform} ${process.arch} is not installed`
    throw new Error(message, { cause: error })
  }
}

function nodeMajor(): string {
  return process.versions.node.split('.', 1)[0] ?? ''
}

function sha256OfFile(path: string): string {
  return createHash('sha256').update(readFileSync(path)).digest('hex')
}

/** The library, or the reason why it cannot be used. Never throws. @param path for tests. */
export function loadUws(path?: string): Result<Uws, string> {
  try {
    const file = path ?? uwsBinaryPath()
    const hash = sha256OfFile(file)
    if (hash !== uwsBuild().sha256) return err(`uws.node has the unknown sha256 ${hash}`)
    // The library reads this when it loads; its default of 4 kB is too small for list queries. The
    // operator does not set it, so it is not in config.ts.
    process.env['UWS_HTTP_MAX_HEADERS_SIZE'] = String(HTTP_HEADER_BYTES_MAX)
    const uws: Uws = require(file)
    uws._cfg('999999990007')
    return ok(uws)
  } catch (error) {
    return err(reasonOf(error))
  }
}

/** The system's loader names one symbol; the user can only change the C library. */
function reasonOf(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error)
  if (!message.includes('GLIBC_')) return message
  return `its build for Node ${nodeMajor()} needs glibc ${uwsBuild().glibc} or newer`
}
