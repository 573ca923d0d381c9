/**
 * Empty answers for browser libraries' features that the product lacks: at a 404 they would fail.
 */

import { NO_FIELDS } from '../body/form.ts'
import type { HttpReply, HttpRequest } from '../http/http-server.ts'
import type { KeyResolver } from '../keys/api-key.ts'
import { findProject } from '../keys/find-project.ts'
import { findToken } from '../keys/token.ts'
import { publicError, publicHeaders } from './public-errors.ts'

export type WebFeature = 'surveys' | 'early_access_features' | 'web_experiments' | 'product_tours'

export type WebFeatureHandler = (request: HttpRequest) => Promise<HttpReply>

const NONE: Readonly<Record<WebFeature, string>> = {
  surveys: '{"surveys":[]}',
  early_access_features: '{"earlyAccessFeatures":[]}',
  web_experiments: '{"experiments":[]}',
  product_tours: '{"product_tours":[]}',
}

const NOTHING_ELSE = {
  form: NO_FIELDS,
  payload: undefined,
  authorization: '',
  thirdParty: 'never',
} as const

/** `GET /api/<feature>/?token=`: an empty list for a known key, else a public error. */
export function createWebFeature(keys: KeyResolver, feature: WebFeature): WebFeatureHandler {
  return async (request) => {
    const { method, query } = request
    const found = await findProject(keys, findToken({ ...NOTHING_ELSE, method, query }), 'any')
    if (found.kind === 'refused') {
      const { error, retryAfterS } = found
      return publicError(request, error, { retryAfterS })
    }
    return { status: 200, headers: publicHeaders(request), body: NONE[feature] }
  }
}
