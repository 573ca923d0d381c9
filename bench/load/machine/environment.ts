/** Describes the machine and the revision of a report, and binds the generator to CPUs. */
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { cpus, loadavg, release, totalmem } from 'node:os'
import { packageRoot } from '../../../src/core/package-root.ts'

/** The machine and revision of the figures. Figures cannot be compared without them. */
export type Environment = {
  readonly cpuModel: string
  readonly cores: number
  readonly memoryMb: number
  readonly kernel: string
  readonly node: string
  /** Commit, with `+changes` when the tree differs from it; `unknown` outside a checkout. */
  readonly revision: string
  /** CPUs that the generator may run on, as the kernel lists them. */
  readonly generatorCpus: string
  /** The load average of the minute before the run, which shows other work on the machine. */
  readonly loadBefore: number
}

export function readEnvironment(): Environment {
  const processors = cpus()
  return {
    cpuModel: processors[0]?.model ?? 'unknown',
    cores: processors.length,
    memoryMb: Math.round(totalmem() / 1_048_576),
    kernel: release(),
    node: process.version,
    revision: readRevision(),
    generatorCpus: allowedCpus(),
    loadBefore: loadavg()[0] ?? 0,
  }
}

/**
 * Binds every thread of this process, and every process that it starts from then on.
 * @throws {Error} when `taskset` is missing or refuses the list.
 */
export function pinTo(cpuList: string): void {
  const done = spawnSync('taskset', ['-a', '-c', '-p', cpuList, String(process.pid)])
  if (done.status !== 0) {
    throw new Error(`taskset refused the CPUs ${cpuList}: ${done.error?.message ?? done.stderr}`)
  }
}

function allowedCpus(): string {
  try {
    const status = readFileSync('/proc/self/status', 'utf8')
    return /^Cpus_allowed_list:\s*(\S+)/m.exec(status)?.[1] ?? 'unknown'
  } catch {
    return 'unknown' // Not Linux.
  }
}

function readRevision(): string {
  const git = (...args: string[]) =>
    spawnSync('git', args, { cwd: packageRoot, encoding: 'utf8', timeout: 5_000 })
  const head = git('rev-parse', '--short=12', 'HEAD')
  if (head.status !== 0) return 'unknown'
  const changed = git('status', '--porcelain').stdout !== ''
  return `${head.stdout.trim()}${changed ? '+changes' : ''}`
}
