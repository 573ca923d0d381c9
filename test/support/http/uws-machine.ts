/** Says whether uWebSockets.js must load here, from the machine alone. */
import { UWS_BUILDS } from '../../../gateway/http/uws-binary.ts'

/** Whether there is a build for this Node, and the C library is new enough for it. */
export function canRunUws(): boolean {
  const build = UWS_BUILDS[process.versions.node.split('.', 1)[0] ?? '']
  if (build === undefined || process.platform !== 'linux' || process.arch !== 'x64') return false
  const { header } = Object(process.report.getReport())
  return isAtLeast(String(header.glibcVersionRuntime), build.glibc)
}

/** Compares versions of two numbers. */
function isAtLeast(version: string, wanted: string): boolean {
  const [major = 0, minor = 0] = version.split('.').map(Number)
  const [wantedMajor = 0, wantedMinor = 0] = wanted.split('.').map(Number)
  return major > wantedMajor || (major === wantedMajor && minor >= wantedMinor)
}
