/** Binds path, query and body to the fields of a request message, as the annotations say. */

import type { ErrorDetail } from '../../src/core/code.ts'
import { ok, type Result } from '../../src/core/result.ts'
import type { BodyError } from '../../src/wire/body-error.ts'
import { pageOf } from '../../src/wire/page.ts'
import type { MessageObject } from '../../src/wire/proto/proto.ts'
import {
  type BodyInput,
  readBody,
  readBodyField,
  readQuery,
  type Validated,
} from '../../src/wire/validation/validate.ts'
import type { Endpoint } from './rest-router.ts'

const TOKEN_PARAMETER = 'token'

export type ReadInput = Result<BodyInput, ErrorDetail>

export type Bound = {
  readonly message: MessageObject
  /** Set when query or body are invalid: the message then holds only the path's fields. */
  readonly error: BodyError | undefined
  /** The body was one object instead of a list; the answer is one object, too. */
  readonly isSingle: boolean
}

/** @param input undefined when the method reads no body. */
export function bind(
  endpoint: Endpoint,
  path: MessageObject,
  query: URLSearchParams,
  input: ReadInput | undefined,
): Bound {
  const { plan, method } = endpoint
  const wrong = (stage: BodyError['stage'], detail: ErrorDetail): Bound => ({
    message: { ...tokenOf(endpoint, query), ...path },
    error: { stage, detail },
    isSingle: false,
  })
  if (input !== undefined && !input.ok) return wrong('parse', input.error)
  const asked = readQuery(plan.query, query)
  if (!asked.ok) return wrong('fields', asked.error)
  const { read, isSingle } = input === undefined ? NO_BODY : bindBody(endpoint, input.value)
  if (!read.ok) return wrong('fields', read.error)
  const page = method.rules.paginated ? askedPage(endpoint, query) : {}
  const message = { ...asked.value, ...read.value, ...page, ...path }
  return { message, error: undefined, isSingle }
}

/** The project key that a query names for the call, as sent and not checked. */
export function tokenOf({ plan }: Endpoint, query: URLSearchParams): { readonly token?: string } {
  if (!plan.query.some(({ name }) => name === TOKEN_PARAMETER)) return {}
  return { token: query.getAll(TOKEN_PARAMETER).at(-1) ?? '' }
}

type BoundBody = { readonly read: Validated; readonly isSingle: boolean }

const NO_BODY: BoundBody = { read: ok({}), isSingle: false }

function bindBody({ plan, method }: Endpoint, input: BodyInput): BoundBody {
  switch (plan.body.kind) {
    case 'none':
      return NO_BODY
    case 'message':
      return { read: readBody(plan.plan, input), isSingle: false }
    case 'field': {
      const { field } = plan.body
      const isSingle =
        method.rules.single_item && !(input.kind === 'json' && Array.isArray(input.body))
      if (!isSingle) return { read: readBodyField(field, input), isSingle }
      const item = readBody(field.message(), input)
      return { read: item.ok ? ok({ [field.name]: [item.value] }) : item, isSingle }
    }
    default:
      return plan.body satisfies never
  }
}

function askedPage({ method }: Endpoint, query: URLSearchParams): MessageObject {
  const asked = { limit: query.getAll('limit').at(-1), offset: query.getAll('offset').at(-1) }
  return pageOf(method.rules, asked)
}
