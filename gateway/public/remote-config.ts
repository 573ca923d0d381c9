/** Remote config, which browser libraries load first, under `/array/<token>/`. */

import type { HttpReply, HttpRequest } from '../http/http-server.ts'
import type { RouteParams } from '../http/router.ts'
import type { KeyResolver } from '../keys/api-key.ts'
import { findProject } from '../keys/find-project.ts'
import { readToken } from '../keys/token.ts'
import { cachedReply, digestOf, notFound, SCRIPT_TYPE, uncached } from './cached-reply.ts'
import { renderRemoteConfig, renderRemoteConfigScript } from './decide-answer.ts'
import { publicError } from './public-errors.ts'
import { recordingFor } from './session-recording.ts'

/** Maximum age of remote config in caches: a changed setting arrives this much later. */
export const CONFIG_MAX_AGE_S = 60

export type RemoteConfig =
  | {
      readonly kind: 'config'
      readonly json: string
      readonly script: string
      /** Whether the answer differs between the hosts of pages. */
      readonly isOfPage: boolean
    }
  | { readonly kind: 'refused'; readonly reply: HttpReply }

type Handler = (
  request: HttpRequest,
  body: Buffer,
  params: RouteParams,
) => HttpReply | Promise<HttpReply>

export type RemoteConfigHandlers = { readonly json: Handler; readonly script: Handler }

/** `GET /array/:token/config` and `/array/:token/config.js`. */
export function createRemoteConfig(keys: KeyResolver): RemoteConfigHandlers {
  const answer = async (request: HttpRequest, token: string | undefined, as: 'json' | 'script') => {
    const config = await findRemoteConfig(keys, request, token ?? '')
    if (config.kind === 'refused') return config.reply
    const body = config[as]
    return cachedReply(request, {
      type: as === 'json' ? 'application/json' : SCRIPT_TYPE,
      body,
      digest: digestOf(body),
      encoding: 'identity',
      maxAgeS: CONFIG_MAX_AGE_S,
      isOfPage: config.isOfPage,
    })
  }
  return {
    json: (request, _body, { token }) => answer(request, token, 'json'),
    script: (request, _body, { token }) => answer(request, token, 'script'),
  }
}

/**
 * Finds the config of the project that the token names. 404 for any token without a project, 503
 * when no worker can answer. Never rejects.
 */
export async function findRemoteConfig(
  keys: KeyResolver,
  request: HttpRequest,
  token: string,
): Promise<RemoteConfig> {
  const found = await findProject(keys, readToken(token), 'refused')
  if (found.kind === 'refused') {
    const { error, retryAfterS = 2 } = found
    const isDown = error === 'fetch_team_fail'
    const reply = isDown
      ? uncached(publicError(request, error, { retryAfterS }))
      : notFound(request)
    return { kind: 'refused', reply }
  }
  const { apiToken, capturePerformance, sessionRecording } = found.project
  const recording = recordingFor(found.project, request)
  const json = renderRemoteConfig(apiToken, { capturePerformance, recording })
  const isOfPage = (sessionRecording?.domains.length ?? 0) > 0
  return { kind: 'config', json, script: renderRemoteConfigScript(apiToken, json), isOfPage }
}
