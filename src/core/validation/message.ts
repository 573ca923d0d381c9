import type { MessageObject } from '../../wire/proto/proto.ts'
import { put } from '../../wire/proto/value.ts'
import { readField, type Source } from '../../wire/validation/fields.ts'
import { type FieldError, under } from '../../wire/validation/outcome.ts'
import { type FieldPlan, type MessagePlan, NULL_FIELDS } from '../../wire/validation/plan.ts'
import { err, ok, type Result } from '../result.ts'

/**
 * Reads every writable field in declaration order and stops at the first that is wrong. The answer
 * holds only what was given; fields set to null are named in `null_fields`.
 */
export function readMessage(
  plan: MessagePlan,
  given: (field: FieldPlan) => unknown,
  source: Source,
): Result<MessageObject, FieldError> {
  const message: Record<string, unknown> = {}
  const nulls: string[] = []
  for (const field of plan.writable) {
    const outcome = readField(field, given(field), source)
    switch (outcome.kind) {
      case 'error':
        return err(under(field.publicName, outcome.error))
      case 'value':
        put(message, field.name, outcome.value)
        break
      case 'null':
        nulls.push(field.name)
        break
      case 'absent':
        break
      default:
        outcome satisfies never
    }
  }
  // A message has its list, be it empty; a body never had one.
  const isListed = nulls.length > 0 || source === 'message'
  if (plan.hasNullFields && isListed) message[NULL_FIELDS] = nulls
  return ok(message)
}
