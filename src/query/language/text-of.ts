/** Values as text. */
import type { Typed } from '../../events/trees/expression.ts'
import { apply } from './apply.ts'

/** Any value as text: numbers without trailing zeros, times as in answers. */
export function textOf(node: Typed): Typed {
  if (node.type === 'String') return node
  if (node.kind === 'null') return { ...node, type: 'String' }
  return apply('String', 'text', [node])
}

/** Values as texts, one after the other. */
export function concatenated(args: readonly Typed[]): Typed {
  return apply('String', 'concat', args.map(textOf))
}
