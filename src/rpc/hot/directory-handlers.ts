/** `DirectoryService`: which project a key names, for gateways. */
import type { DirectoryServiceDefinition } from '../../../proto/gen/sluice/v1/DirectoryService.ts'
import type { KeyAnswer } from '../../../proto/gen/sluice/v1/KeyAnswer.ts'
import type { KeyQuestion__Output } from '../../../proto/gen/sluice/v1/KeyQuestion.ts'
import type { SessionRecording } from '../../../proto/gen/sluice/v1/SessionRecording.ts'
import { keyDigest } from '../../access/keys.ts'
import { AppError } from '../../core/code.ts'
import type { DatabaseHealth } from '../../core/database-health.ts'
import { isList, textsIn } from '../../core/json.ts'
import { CREDENTIAL_LENGTH_MAX } from '../../core/limits/limits.ts'
import type { Db } from '../../postgres/db.ts'
import {
  type KeyLookup,
  type ResolvedKey,
  resolveKeys,
  type StoredRecording,
} from '../../store/people/key-store.ts'
import type { ServiceHandlers } from '../../wire/service-handlers.ts'
import type { MemberAuth } from '../server/member-auth.ts'

/** Time for looking up the keys of one call; then gateways use what they knew before. */
const KEYS_READ_MS = 2_000
/** Keys that one ResolveKeys call may ask for. */
const KEY_QUESTIONS_MAX = 1_000

/** Form of a key. Other texts are not looked up: Postgres refuses some of their characters. */
const KEY = /^[\x21-\x7e]+$/

/** The unary half of the directory; `watch-handler.ts` has the stream. */
export function createDirectoryHandlers({
  memberAuth,
  db,
  health,
  self,
  confirm,
  onRefused = () => {},
}: {
  readonly memberAuth: MemberAuth
  readonly db: Db
  readonly health: DatabaseHealth
  /** Id of this member. */
  readonly self: string
  /** Notes up to where a gateway has taken in the changes of this worker. */
  readonly confirm: (memberId: string, told: number) => void
  /** Called for a key that does not exist. A gateway remembers the answer for a while. */
  readonly onRefused?: (kind: 'project' | 'personal') => void
}): Pick<ServiceHandlers<DirectoryServiceDefinition>, 'ResolveKeys' | 'ConfirmNews'> {
  const keys = health.reads('keys of projects', KEYS_READ_MS)
  return {
    async ResolveKeys({ questions }, context) {
      memberAuth(context)
      if (questions.length > KEY_QUESTIONS_MAX) {
        throw new AppError('invalid_argument', `more than ${KEY_QUESTIONS_MAX} keys in one call`)
      }
      if (questions.length === 0) return { answers: [] }
      const resolved = await keys.ask(() => resolveKeys(db, questions.map(toLookup)))
      for (const { kind } of resolved) {
        if (kind === 'unknown') onRefused('project')
        else if (kind === 'invalid_personal') onRefused('personal')
      }
      return { answers: resolved.map(toAnswer) }
    },

    async ConfirmNews({ to, member_id: memberId, told }, context) {
      memberAuth(context)
      if (to !== self) {
        throw new AppError('failed_precondition', `this is member ${self}, not ${to}`)
      }
      confirm(memberId, told)
      return {}
    },
  }
}

function toWire({ consoleLog, domains }: StoredRecording): SessionRecording {
  return { console_log: consoleLog, domains: isList(domains) ? textsIn(domains) : [] }
}

/** A text that is not in the form of a key becomes the empty key, which nothing has. */
function toLookup({ token, project_id: projectId }: KeyQuestion__Output): KeyLookup {
  const isKey = token.length <= CREDENTIAL_LENGTH_MAX && KEY.test(token)
  const asked = isKey ? token : ''
  return { token: asked, digest: keyDigest(asked).toString('hex'), projectId }
}

function toAnswer(resolved: ResolvedKey): KeyAnswer {
  switch (resolved.kind) {
    case 'project': {
      const { id, revision, anonymizeIps, apiToken, hasFlags, hasPlugins, capturePerformance } =
        resolved.project
      const { sessionRecording } = resolved.project
      const { expiresInMs } = resolved
      return {
        kind: 'KEY_KIND_PROJECT',
        project: {
          id,
          revision,
          anonymize_ips: anonymizeIps,
          api_token: apiToken,
          has_flags: hasFlags,
          has_plugins: hasPlugins,
          capture_performance: capturePerformance,
          ...(sessionRecording === null ? {} : { session_recording: toWire(sessionRecording) }),
        },
        ...(expiresInMs === null ? {} : { expires_in_ms: expiresInMs }),
        lacks_event_write: resolved.lacks.eventWrite,
        lacks_feature_flag_read: resolved.lacks.featureFlagRead,
        is_personal: resolved.isPersonal,
      }
    }
    case 'undetermined':
      return {
        kind: 'KEY_KIND_UNDETERMINED',
        ...(resolved.expiresInMs === null ? {} : { expires_in_ms: resolved.expiresInMs }),
      }
    case 'unknown':
      return { kind: 'KEY_KIND_UNKNOWN' }
    case 'invalid_personal':
      return { kind: 'KEY_KIND_INVALID_PERSONAL' }
    default:
      return resolved satisfies never
  }
}
