/** `writeJsonb` for texts. */
import { ByteSink } from '../../../src/core/bytes/byte-sink.ts'
import { type JsonbFault, writeJsonb } from '../../../src/core/json-text/jsonb-bytes.ts'
import { err, ok, type Result } from '../../../src/core/result.ts'

/** With the `u` flag a surrogate class matches lone ones only. */
const LONE_SURROGATE = /[\ud800-\udfff]/u

/** The text that `select $1::jsonb::text` would give. */
export function jsonbText(json: string): Result<string, JsonbFault> {
  if (LONE_SURROGATE.test(json)) return err('unstorable_text')
  const sink = new ByteSink()
  const fault = writeJsonb(Buffer.from(json), sink)
  return fault === undefined ? ok(sink.written().toString()) : err(fault)
}
