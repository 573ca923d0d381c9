/** An attack: its preparation, and one of its strikes. */
import { AppError } from '../../src/core/code.ts'
import {
  type BenchProject,
  isManaged,
  type ManagedProject,
} from '../load/workload/management-api.ts'

/** Target of an attacker: the ports of the product, and the keys of a project of its own. */
export type Target = {
  readonly host: string
  readonly httpPort: number
  readonly grpcPort: number
  /** Address that the attack comes from: limits reached by one attack delay no other. */
  readonly from: string
  readonly project: BenchProject
}

/** An attack that is ready to begin. */
export type Attacker = {
  /** One strike. Resolves with a short form of the answer. */
  readonly strike: (number: number) => Promise<string>
  /** Releases everything that the attack holds open. */
  readonly end: () => void
}

export type Attack = {
  readonly name: string
  /** Maximum of strikes that wait for their answers at a time. */
  readonly openMax: number
  readonly prepare: (target: Target) => Promise<Attacker>
}

/** Figures of an attacker in one phase. */
export type Struck = {
  readonly strikes: number
  /** Strikes left out because the maximum of open ones had been reached. */
  readonly held: number
  readonly seconds: number
  /** Share of one core. */
  readonly cpuPercent: number
  readonly answers: Readonly<Record<string, number>>
}

/**
 * Address of an attacker. It differs from that of the good clients, so that limits for an address
 * apply to the attacker alone.
 * @param index of the attack.
 */
export function strangersAddress(index: number): string {
  return `127.0.0.${2 + index}`
}

export function urlOf({ host, httpPort }: Target): string {
  return `http://${host}:${httpPort}`
}

export function managed({ project }: Target): ManagedProject {
  if (!isManaged(project)) throw new AppError('internal', 'the attacked project has its keys')
  return project
}
