import type { CreateSharedLinkInput } from '../../../client/index.ts'

/** Subject of links, as a request names it. */
export type Shared = Pick<CreateSharedLinkInput, 'kind' | 'insight' | 'dashboard' | 'filters'>
