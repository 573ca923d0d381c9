/** Data of the page of a link, which anybody may ask for. */
import { useEffect } from 'preact/hooks'
import { createClient, type Json, type JsonObject, openSharedLink } from '../../../client/index.ts'
import { failureOf } from '../../data/failure.ts'
import { exactParse } from '../../data/json.ts'
import type { Answer, Unanswered } from '../../data/questions.ts'
import type { DateRange } from '../../data/ranges.ts'
import { type Resource, useResource } from '../../data/resource.ts'
import { fetchTimed } from '../../data/session.ts'

/** Questions of one call. */
const TOGETHER = 12

/** Client without a session, also for users who are signed in. */
const client = createClient({
  baseUrl: location.origin,
  fetch: (url, init) => fetchTimed(url, { ...init, credentials: 'omit' }),
  parse: exactParse,
})

export type SharedTile = {
  readonly name?: string
  /** Only of a text. */
  readonly text?: string
  readonly layouts: Json
  readonly query?: JsonObject
  /** Why it is not shown. */
  readonly reason?: string
}

export type SharedLinkPage = {
  readonly kind: 'insight' | 'dashboard' | 'web'
  readonly title: string
  readonly description: string
  readonly tiles?: readonly SharedTile[]
  /** Only of a site. */
  readonly dateRange?: DateRange
  /** Stands for the password. */
  readonly pass?: string
}

export type Entry = {
  readonly token: string
  readonly password?: string | undefined
  readonly pass?: string | undefined
}

export async function openPage(
  { token, password }: Entry,
  signal: AbortSignal,
): Promise<SharedLinkPage> {
  const given = password === undefined ? {} : { password }
  const page: unknown = await openSharedLink(client, { token, ...given }, { signal })
  return page as SharedLinkPage
}

/** Answers of the page's questions, in their order. */
async function askPage(
  { token, pass }: Entry,
  questions: readonly JsonObject[],
  signal: AbortSignal,
): Promise<readonly (Answer<never> | Unanswered)[]> {
  const given = pass === undefined ? {} : { pass }
  const chunks = Array.from({ length: Math.ceil(questions.length / TOGETHER) }, async (_, at) => {
    const query = questions.slice(at * TOGETHER, (at + 1) * TOGETHER)
    const answer: unknown = await openSharedLink(client, { token, ...given, query }, { signal })
    return (answer as { readonly results: readonly Answer<never>[] }).results
  })
  return (await Promise.all(chunks)).flat()
}

export type SharedProps = {
  readonly entry: Entry
  readonly page: SharedLinkPage
  readonly onLost: () => void
}

type Answers = Awaited<ReturnType<typeof askPage>>

/** Answers of the page's questions. A link that has ended meanwhile is told of. */
export function useAnswers(
  { entry, onLost }: SharedProps,
  questions: readonly JsonObject[],
): Resource<Answers> {
  const answers = useResource(`shared ${entry.token} ${JSON.stringify(questions)}`, (signal) =>
    askPage(entry, questions, signal),
  )
  const { error } = answers
  useEffect(() => {
    if (error === undefined) return
    const { kind, code } = failureOf(error)
    if (kind === 'missing' || code === 'password_required') onLost()
  }, [error])
  return answers
}
