/** Links in a database of their own, and viewers who open them. */
import type { Test } from 'tap'
import { v7 as uuidv7 } from 'uuid'
import { keyDigest, randomText } from '../../../src/access/keys.ts'
import type { Clock } from '../../../src/core/clock.ts'
import type { Json } from '../../../src/core/json.ts'
import { createPngRenderer, type RenderPng } from '../../../src/manage/export/png.ts'
import { createLinkOpener } from '../../../src/manage/sharing/open-link.ts'
import { createSharedAnswers } from '../../../src/manage/sharing/shared-answers.ts'
import { createSharedPictures } from '../../../src/manage/sharing/shared-pictures.ts'
import { createQueryLimiter, type QueryLimiter } from '../../../src/query/query-limiter.ts'
import { toValue } from '../../../src/wire/proto/value.ts'
import { CLIENT_METADATA } from '../../../src/wire/session.ts'
import { putEvents } from '../ingest/events.ts'
import { createProject } from '../ingest/ingest-store.ts'
import { testDatabase } from '../servers/database.ts'

const QUERY = { kind: 'TrendsQuery', series: [{ kind: 'EventsNode', event: 'order' }] }

export type Ask = {
  readonly query?: Json
  readonly password?: string
  readonly pass?: string
  readonly network?: string
}

/**
 * One project with an insight. `computed` counts the turns that questions of viewers took, `rendered`
 * the pictures.
 */
export async function sharedSite(t: Test, clock: Clock) {
  const { sql } = await testDatabase(t, { connectionsMax: 6 })
  const project = await createProject(sql)
  const [insight] = await sql<{ id: number }[]>`
    insert into insights (project_id, short_id, name, query)
    values (${project}, 'abcdefghij', 'Orders', ${JSON.stringify(QUERY)}::text::json)
    returning id`
  let computed = 0
  const limiter = createQueryLimiter(clock)
  const queryLimiter: QueryLimiter = {
    of: (organization, waitMs) => ({
      run(signal, work, bytesOf) {
        computed += 1
        return limiter.of(organization, waitMs).run(signal, work, bytesOf)
      },
    }),
  }
  const answers = createSharedAnswers({ sql, clock, queryLimiter })
  let rendered = 0
  const render = createPngRenderer()
  const renderPng: RenderPng = (svg, signal) => {
    rendered += 1
    return render(svg, signal)
  }
  const pictures = createSharedPictures({ clock, answers, renderPng })
  const opener = createLinkOpener({ sql, clock, answers, pictures, isMember: () => false })
  return {
    sql,
    project,
    insight: insight?.id ?? 0,
    forget: opener.forget,
    computed: () => computed,
    rendered: () => rendered,
    /** So many orders now. */
    order: async (count: number) => {
      const timestamp = new Date(clock.now()).toISOString()
      await putEvents(sql, project, Array(count).fill({ event: 'order', timestamp }))
    },
    /** @returns the token of a new link. */
    share: async (passwordHash: string | null = null) => {
      const token = randomText()
      await sql`
        insert into shared_links (id, project_id, kind, insight_id, token_digest, password_hash)
        values (${uuidv7()}, ${project}, 'insight', ${insight?.id ?? 0}, ${keyDigest(token)},
          ${passwordHash})`
      return token
    },
    picture: async (token: string) => Buffer.from(await opener.picture(token, callOf('192.0.2.1'))),
    card: (token: string) => opener.card(token, callOf('192.0.2.1')),
    open: async (token: string, { query, network = '192.0.2.1', password, pass }: Ask = {}) => {
      // The validator gives an absent question as null.
      const asked = query === undefined ? null : toValue(query)
      const request = { token, query: asked, password, pass }
      const text = await opener.open(request as Parameters<typeof opener.open>[0], callOf(network))
      return JSON.parse(text)
    },
  }
}

function callOf(network: string) {
  return {
    metadata: {
      get: (name: string) => (name === CLIENT_METADATA ? network : undefined),
      entries: () => [],
    },
    signal: new AbortController().signal,
    timeoutMs: 10_000,
  }
}
