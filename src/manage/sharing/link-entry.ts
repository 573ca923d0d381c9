/** Entry to a link: limits of asks and of failed ones, passwords, and passes in their place. */
import { createHmac, timingSafeEqual } from 'node:crypto'
import { createPasswordHasher } from '../../access/password.ts'
import { throttled } from '../../access/throttle.ts'
import { createTries } from '../../access/tries.ts'
import { createTryWindows } from '../../access/try-windows.ts'
import type { Clock } from '../../core/clock.ts'
import { AppError } from '../../core/code.ts'
import { createBudgets } from '../../core/limits/budgets.ts'
import { RATE_WINDOWS_MAX } from '../../core/limits/limits.ts'
import type { OpenLink } from '../../store/sharing/shared-link-store.ts'

/** Asks from one network: so many a second, after a rest so many at once. */
const NETWORK_ASKS_PER_S = 50
const NETWORK_ASKS_BURST = 600
/** Asks of one link, from all networks. */
const LINK_ASKS_PER_S = 500
const LINK_ASKS_BURST = 1_000
/** Tokens from one network in a minute that open nothing. */
const GUESSES_MAX = 100
/** Life of a pass. */
const PASS_MS = 43_200_000

export type LinkEntry = {
  /** Counts an ask. @throws {AppError} `resource_exhausted` when the network asks too often. */
  fromNetwork(network: string): void
  /** @throws {AppError} `resource_exhausted` for another guess of a network with too many. */
  beforeGuess(network: string): void
  guessed(network: string): void
  /** Counts an ask. @throws {AppError} `resource_exhausted` when the link is asked too often. */
  ofLink(link: string): void
  /**
   * @returns a pass for the next asks; undefined for a link without a password.
   * @throws {AppError} `unauthenticated` without the password, `resource_exhausted` for too many
   * wrong ones.
   */
  open(link: OpenLink, proof: Proof, signal: AbortSignal): Promise<string | undefined>
}

export type Proof = {
  readonly network: string
  readonly password: string | undefined
  readonly pass: string | undefined
}

export function createLinkEntry(
  clock: Clock,
  passwords: ReturnType<typeof createPasswordHasher> = createPasswordHasher(),
): LinkEntry {
  const networks = createBudgets<string>(clock, {
    perMs: NETWORK_ASKS_PER_S / 1_000,
    burst: NETWORK_ASKS_BURST,
  })
  const links = createBudgets<string>(clock, {
    perMs: LINK_ASKS_PER_S / 1_000,
    burst: LINK_ASKS_BURST,
  })
  const guesses = createTryWindows(clock, {
    failedMax: GUESSES_MAX,
    entriesMax: RATE_WINDOWS_MAX,
  })
  const tries = createTries({ clock })

  const take = (budgets: typeof links, key: string) => {
    const waitMs = budgets.waitMs(key)
    if (waitMs > 0) throw throttled(waitMs)
    budgets.spend(key, 1)
  }
  return {
    fromNetwork: (network) => take(networks, network),
    ofLink: (link) => take(links, link),
    beforeGuess(network) {
      const { failed, endsAt } = guesses.peek(network) ?? { failed: 0, endsAt: 0 }
      if (failed >= GUESSES_MAX) throw throttled(endsAt - clock.monotonic())
    },
    guessed: (network) => guesses.begin(network)(true),
    async open({ id, passwordHash }, { network, password, pass }, signal) {
      if (passwordHash === null) return undefined
      if (pass !== undefined && isPass(pass, id, passwordHash, clock.now())) return pass
      if (password === undefined) throw locked('password_required', 'This link has a password.')
      const place = `link ${id} ${network}`
      const end = await tries.begin({ place, mail: `link ${id}` }, signal)
      let isWrong = false
      try {
        isWrong = !(await passwords.verify(password, passwordHash))
      } finally {
        end(isWrong)
      }
      if (isWrong) throw locked('invalid_password', 'Wrong password.')
      return passOf(id, passwordHash, clock.now() + PASS_MS)
    },
  }
}

/** 401. */
function locked(code: string, text: string): AppError {
  const detail = { type: 'authentication_error', code, detail: text, attr: null }
  return new AppError('unauthenticated', `shared link: ${code}`, { detail })
}

/** Keyed with the stored text of the password, so a new password ends all passes of the old one. */
function passOf(link: string, passwordHash: string, untilMs: number): string {
  const proof = createHmac('sha256', passwordHash).update(`pass ${link} ${untilMs}`)
  return `${untilMs}.${proof.digest('base64url')}`
}

function isPass(pass: string, link: string, passwordHash: string, nowMs: number): boolean {
  const untilMs = Number(/^(\d{1,15})\./.exec(pass)?.[1] ?? 0)
  if (untilMs <= nowMs) return false
  const right = Buffer.from(passOf(link, passwordHash, untilMs))
  const given = Buffer.from(pass)
  return right.length === given.length && timingSafeEqual(right, given)
}
