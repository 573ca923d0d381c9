/** Reads rows of events that were written as `RowBinary`. */

export type BinaryRow = {
  readonly projectId: number
  readonly month: string
  readonly day: number
  readonly timestampUs: bigint
  readonly uuid: string
  readonly event: string
  readonly distinctId: string
  readonly properties: string
  readonly elementsChain: string
  readonly createdUs: bigint
  readonly block: number
}

export function readRows(bytes: Buffer): BinaryRow[] {
  const rows: BinaryRow[] = []
  let at = 0
  const take = (count: number) => {
    at += count
    return at - count
  }
  const text = () => {
    let length = 0
    for (let shift = 0; ; shift += 7) {
      const byte = bytes.readUInt8(take(1))
      length += (byte & 0x7f) * 2 ** shift
      if (byte < 0x80) break
    }
    const from = take(length)
    return bytes.toString('utf8', from, at)
  }
  const half = () => bytes.readBigUInt64LE(take(8)).toString(16).padStart(16, '0')
  const uuid = () =>
    `${half()}${half()}`.replace(/(.{8})(.{4})(.{4})(.{4})(.{12})/, '$1-$2-$3-$4-$5')
  while (at < bytes.length) {
    rows.push({
      projectId: bytes.readInt32LE(take(4)),
      month: text(),
      day: bytes.readInt32LE(take(4)),
      timestampUs: bytes.readBigInt64LE(take(8)),
      uuid: uuid(),
      event: text(),
      distinctId: text(),
      properties: text(),
      elementsChain: text(),
      createdUs: bytes.readBigInt64LE(take(8)),
      block: Number(bytes.readBigUInt64LE(take(8))),
    })
  }
  return rows
}
