/** All attacks, in the order in which they are tried. */
import type { Attack } from './attack.ts'
import { DEFINITION_ATTACKS } from './definition-attacks.ts'
import { GRPC_ATTACKS } from './grpc-attacks.ts'
import { HTTP_ATTACKS } from './http-attacks.ts'
import { TENANT_ATTACKS } from './tenant-attacks.ts'

export const ATTACKS: readonly Attack[] = [
  ...HTTP_ATTACKS,
  ...GRPC_ATTACKS,
  ...TENANT_ATTACKS,
  ...DEFINITION_ATTACKS,
]
