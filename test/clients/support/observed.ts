import { PostHog, type PostHogOptions } from 'posthog-node'
import type { Test } from 'tap'

/** The newest posthog-node, with what it asked and was told. */
export type Observed = {
  readonly client: PostHog
  /** Statuses of its requests in order; 0 for one that was never answered. */
  readonly statuses: readonly number[]
  /** Message of its event `error`. */
  readonly errors: readonly string[]
  /** Ids of the events that it was given by `capture`, as it sends them. */
  readonly ids: readonly string[]
}

/** A machine that is busy is no failure. */
const WAIT_MS_MAX = 120_000
const STEP_MS = 20

/** Retries at once and for long, unless `options` say otherwise. Shut down after the test. */
export function observedClient(
  t: Test,
  { url, projectKey }: { readonly url: string; readonly projectKey: string },
  options: PostHogOptions = {},
): Observed {
  const statuses: number[] = []
  const errors: string[] = []
  const ids: string[] = []
  const client = new PostHog(projectKey, {
    host: url,
    fetchRetryCount: 1_000,
    fetchRetryDelay: STEP_MS,
    ...options,
    fetch: async (url, init) => {
      const place = statuses.push(0) - 1
      const answer = await fetch(url, init as RequestInit)
      statuses[place] = answer.status
      return answer
    },
  })
  client.on('error', (error: unknown) => errors.push(String(error)))
  client.on('capture', ({ uuid }: { uuid: string }) => ids.push(uuid))
  t.teardown(() => client.shutdown(1_000))
  return { client, statuses, errors, ids }
}

/** Asked every few milliseconds; fails when it has not come true in two minutes. */
export async function until(
  t: Test,
  what: string,
  isTrue: () => boolean | Promise<boolean>,
): Promise<void> {
  const end = Date.now() + WAIT_MS_MAX
  while (!(await isTrue())) {
    if (Date.now() > end) return void t.fail(`${what}: not in ${WAIT_MS_MAX} ms`)
    await new Promise((resolve) => setTimeout(resolve, STEP_MS))
  }
  t.pass(what)
}
