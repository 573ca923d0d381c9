/**
 * How far a change of flags has come. The server answers once every gateway holds it, or after a
 * second; where one is missing it is asked again, each time later, and in the end no more:
 *
 *     asking -> held
 *         `---> partly -> held | left     `left`: the rest has not answered
 *         `---> unknown
 */
import type { Propagation } from '../../../client/index.ts'
import { pauseMs } from '../../data/retry.ts'
import { FLAG_TEXTS as TEXTS } from './texts.ts'

/** Maximum number of requests. */
const TRIES = 6

export type Propagated =
  | { readonly kind: 'asking' }
  | { readonly kind: 'unknown' }
  | { readonly kind: 'held'; readonly gateways: number; readonly elapsedMs: number }
  | Partly

type Partly = {
  readonly kind: 'partly' | 'left'
  readonly gateways: number
  readonly confirmed: number
}

export type FollowDeps = {
  /** Asks about the first change that brought the revision, or about the newest one. */
  readonly ask: (revision: number | undefined) => Promise<Propagation>
  readonly pause: (ms: number) => Promise<void>
  readonly tell: (known: Propagated) => void
}

/** Follows the newest change to its end. @throws what `ask` throws. */
export async function followChange({ ask, pause, tell }: FollowDeps): Promise<void> {
  let wanted: number | undefined
  for (let tries = 1; ; tries += 1) {
    const { revision, gateways, confirmed, elapsed_ms: elapsedMs } = await ask(wanted)
    if (revision === null || confirmed === null) return tell({ kind: 'unknown' })
    if (elapsedMs !== null) return tell({ kind: 'held', gateways, elapsedMs })
    if (tries === TRIES) return tell({ kind: 'left', gateways, confirmed })
    tell({ kind: 'partly', gateways, confirmed })
    wanted = revision
    await pause(pauseMs(tries))
  }
}

/** "In force at 2 of 2 gateways, 41 ms". Empty while nothing is known yet. */
export function propagationText(known: Propagated | undefined): string {
  switch (known?.kind) {
    case undefined:
    case 'asking':
      return ''
    case 'unknown':
      return TEXTS.heldUnknown
    case 'held':
      return `${shareText(known.gateways, known.gateways)}, ${timeText(known.elapsedMs)}`
    case 'partly':
    case 'left': {
      const rest = known.kind === 'left' ? TEXTS.heldLeft : TEXTS.heldSoFar
      return `${shareText(known.confirmed, known.gateways)} ${rest}`
    }
    default:
      return known satisfies never
  }
}

function shareText(confirmed: number, gateways: number): string {
  return `${TEXTS.heldAt} ${confirmed} of ${gateways} ${gateways === 1 ? 'gateway' : 'gateways'}`
}

function timeText(ms: number): string {
  return ms < 1 ? '< 1 ms' : `${Math.round(ms)} ms`
}
