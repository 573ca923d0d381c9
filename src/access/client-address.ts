/** Address that calls without a key are counted by. */
import { type CallContext, MEMBER_METADATA } from '../wire/call.ts'
import { CLIENT_METADATA } from '../wire/session.ts'

/**
 * Address of the client: from the metadata of a gateway, else that of the connection.
 * @param isMember true for the token of a member of the cluster.
 */
export function clientAddress(
  isMember: (token: string) => boolean,
  { metadata, peer }: Pick<CallContext, 'metadata' | 'peer'>,
): string {
  const token = metadata.get(MEMBER_METADATA)
  const isGateway = peer === undefined || (token !== undefined && isMember(token))
  if (isGateway) return metadata.get(CLIENT_METADATA) ?? ''
  return peer.replace(/:\d+$/, '')
}
