import type { ProjectId, Revision } from '../../src/core/ids.ts'

/** Facts about a project that a gateway caches. */
export type GatewayProject = {
  readonly id: ProjectId
  readonly revision: Revision
  readonly anonymizeIps: boolean
  readonly apiToken: string
  readonly hasFlags: boolean
  /** A plugin config is enabled: its events may be slow to answer. */
  readonly hasPlugins: boolean
  readonly capturePerformance: boolean
  /** Undefined unless the project opted in. */
  readonly sessionRecording?: SessionRecording
}

export type SessionRecording = {
  readonly consoleLog: boolean
  /** Addresses of its pages; none is any page. */
  readonly domains: readonly string[]
}

/** Scopes that public routes ask of a personal key; a project key has no scopes and needs none. */
export type PublicScope = 'event:write' | 'feature_flag:read'

export type KeyResolution =
  | {
      readonly kind: 'project'
      readonly project: GatewayProject
      /** Scopes that the key lacks; undefined for a key that may do everything here. */
      readonly lacks?: readonly PublicScope[]
      /** A personal key named it, not the project's own. */
      readonly isPersonal?: true
    }
  | { readonly kind: 'unknown' }
  /** A personal key, which does not say by itself what project is meant. */
  | { readonly kind: 'undetermined' }
  | { readonly kind: 'invalid_personal' }
