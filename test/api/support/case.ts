/**
 * The management interface as data: each case is one request over HTTP and what must come back. The
 * files `*.cases.ts` beside this one hold the cases of one resource family each; they are run, in
 * order, by `test/integration/manage/api.test.ts`.
 */

/** The caller. All but the outsider belong to one organization, with one project. */
export type Actor =
  /** Level 15, staff of the instance; with a key that may do everything. */
  | 'owner'
  /** Level 8 and level 1 of the same organization; not staff. */
  | 'admin'
  | 'member'
  /** Owner of another organization, with a project of its own. */
  | 'outsider'
  | 'anonymous'
  /** A well-formed key that nobody has. */
  | 'bad_key'
  /** The owner, by a key that holds no more than this. */
  | {
      readonly scopes?: readonly string[]
      readonly scoped_teams?: readonly string[]
      readonly scoped_organizations?: readonly string[]
    }

/** The purpose of a case. Every endpoint needs each of the four. */
export type Shows = 'success' | 'error' | 'permission' | 'tenancy'

/**
 * Text may hold `{name}` placeholders, also inside JSON values: `{project}`, `{organization}`,
 * `{foreign_project}`, `{foreign_organization}`, `{owner_id}`, `{owner_uuid}`, `{owner_email}`,
 * `{member_id}`, `{member_uuid}`, `{token}` (the project API key), the same of `admin` and
 * `outsider`, `{owner_key}` and the like (personal keys), `{held_deletion}` (a deletion of the project that runs
 * and never begins), and whatever cases before it saved.
 * A text that is one placeholder alone becomes the saved value itself, of whatever type.
 */
export type ApiCase = {
  /** A sentence; unique in its file. */
  readonly name: string
  /** Verb and template of the contract: `GET /api/projects/{id}/`; or one of `BESIDE`. */
  readonly endpoint: string
  /** Sent in place of the endpoint's own verb, to show what the path does not offer. */
  readonly verb?: string
  readonly shows: Shows
  /** @default 'owner' */
  readonly as?: Actor
  /**
   * Path and query as sent: `/api/projects/{project}/?limit=1`. Placeholders are percent-encoded; a
   * path that is one placeholder alone is a saved link, such as a page's `next`.
   */
  readonly path: string
  readonly headers?: Readonly<Record<string, string>>
  /** JSON. */
  readonly body?: unknown
  /** Sent as it is, with the `content-type` of `headers`. */
  readonly rawBody?: string
  /** Sent as multipart/form-data; a value of `{file, type, text}` is a file. */
  readonly form?: Readonly<
    Record<string, string | { readonly file: string; readonly type: string; readonly text: string }>
  >
  readonly expect: Expectation
  /** Names to places in the answer (`id`, `results.0.id`), for the cases after it. */
  readonly save?: Readonly<Record<string, string>>
  /** The answer is an example of the reference: `scripts/api/examples.json` holds it. */
  readonly isExample?: true
  /** Why this change leaves no entry of activity; every other success of a write must leave one. */
  readonly unlogged?: string
}

/**
 * Paths that a case may name besides endpoints of the contract: the public routes, for events that
 * it needs captured, and paths that no endpoint has.
 */
export const BESIDE: readonly string[] = [
  'POST /capture/',
  'POST /batch/',
  'POST /decide/',
  'no endpoint',
]

export type Expectation = {
  readonly status: number
  /**
   * Must be in the body: objects by their members, lists item by item and of the same length, all
   * else equal. A regular expression matches text; `absent` demands that there is no such member.
   */
  readonly body?: unknown
  /** The members of the body, or of the object at a place in it, are these and no others. */
  readonly keys?: readonly string[]
  readonly keysAt?: Readonly<Record<string, readonly string[]>>
  /** Lower-case names; a regular expression or the exact text. */
  readonly headers?: Readonly<Record<string, string | RegExp>>
  /** The whole body as text. */
  readonly text?: string | RegExp
}

export const absent: unique symbol = Symbol('absent')

/** The error bodies that recur. */
export const NOT_FOUND: Expectation = {
  status: 404,
  body: { type: 'invalid_request', code: 'not_found', detail: 'Not found.', attr: null },
}
export const FORBIDDEN: Expectation = {
  status: 403,
  body: { type: 'authentication_error', code: 'permission_denied', attr: null },
}

/** A field that is wrong. */
export function invalidField(code: string, attr: string | null, detail?: string): Expectation {
  const text = detail === undefined ? {} : { detail }
  return { status: 400, body: { type: 'validation_error', code, attr, ...text } }
}

/** Cases of one kind of object. @param all template of its list; `list` and `one` are paths of a list and of an object. */
export function callsOf(all: string, list: string, one: string) {
  type More = Partial<ApiCase>
  const call = (verb: string, below: string, path: string, expect: Expectation) => {
    const shows: Shows = expect.status < 400 ? 'success' : 'error'
    return { endpoint: `${verb} ${all}${below}`, shows, path, expect }
  }
  return {
    make: (name: string, body: object, expect: Expectation, more: More = {}): ApiCase => {
      return { name, body, ...call('POST', '', list, expect), ...more }
    },
    change: (name: string, body: object, expect: Expectation, more: More = {}): ApiCase => {
      return { name, body, ...call('PATCH', '{id}/', one, expect), ...more }
    },
    get: (name: string, path: string, expect: Expectation): ApiCase => {
      return { name, ...call('GET', '{id}/', path, expect) }
    },
  }
}
