/** The refusal of a call whose project another worker owns. */
import { AppError } from '../../src/core/code.ts'
import type { ShardId } from '../../src/core/ids.ts'
import type { Member } from '../members/view.ts'

/** A call was to change a project that another worker owns. Nothing was done. */
export class NotOwnerError extends AppError {
  readonly shard: ShardId
  /** The probable owner; `undefined` while none is known. */
  readonly owner: Member | undefined

  constructor(shard: ShardId, owner: Member | undefined) {
    super('not_owner', `shard ${shard} belongs to ${owner?.id ?? 'nobody yet'}`, {
      detail: {
        type: 'server_error',
        code: 'server_error',
        detail: 'The project is moving to another worker. Try again.',
        attr: null,
        httpStatus: 503,
        retryAfterS: 1,
      },
    })
    this.shard = shard
    this.owner = owner
  }

  /** Address of the probable owner, for the error's detail on the wire. */
  get ownerHint(): string | undefined {
    return this.owner?.address
  }
}
