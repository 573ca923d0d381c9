/** Fake lookups of project API keys. */
import { createKeyResolver, type KeyResolver } from '../../../gateway/keys/api-key.ts'
import { systemClock } from '../../../src/core/clock.ts'
import { AppError } from '../../../src/core/code.ts'

export const TOKEN = 'phc_known'

export type WebKeySettings = {
  readonly capturePerformance?: boolean
  readonly recording?: { readonly console_log: boolean; readonly domains: string[] }
  readonly down?: boolean
}

/** Knows one project, by `TOKEN`, or cannot answer. Requested tokens are in `asked`. */
export function webKeys(settings: WebKeySettings = {}): {
  readonly keys: KeyResolver
  readonly asked: string[]
} {
  const asked: string[] = []
  const keys = createKeyResolver({
    clock: systemClock,
    feed: { fresh: () => true, subscribe: () => () => undefined },
    ask: async ({ token }) => {
      asked.push(token)
      if (settings.down === true) throw new AppError('unavailable', 'no worker')
      const scopes = {
        lacks_event_write: false,
        lacks_feature_flag_read: false,
        is_personal: false,
      }
      if (token !== TOKEN) return { kind: 'KEY_KIND_UNKNOWN', project: null, ...scopes }
      const project = {
        id: 1,
        revision: 1,
        anonymize_ips: false,
        api_token: token,
        has_flags: false,
        has_plugins: false,
        capture_performance: settings.capturePerformance ?? false,
        session_recording: settings.recording ?? null,
      }
      return { kind: 'KEY_KIND_PROJECT', project, ...scopes }
    },
  })
  return { keys, asked }
}
