/** Lists the titles of tests, for the documents that are made of them. */
import type ts from 'typescript'
import { compiler } from './compiler.ts'

/**
 * The titles of the tests of a file: the first arguments of its calls of `test` and `t.test`.
 * Titles that are built at run time are left out.
 */
export function testTitlesOf(source: ts.SourceFile): readonly string[] {
  const titles: string[] = []
  const visit = (node: ts.Node): void => {
    if (compiler.isCallExpression(node) && /^(?:\w+\.)?test$/.test(calledName(node) ?? '')) {
      const [title] = node.arguments
      if (title !== undefined && compiler.isStringLiteralLike(title)) titles.push(title.text)
    }
    compiler.forEachChild(node, visit)
  }
  compiler.forEachChild(source, visit)
  return titles
}

/** `t.test` of `t.test(…)`. */
function calledName(node: ts.Node): string | undefined {
  if (!compiler.isCallExpression(node) && !compiler.isNewExpression(node)) return undefined
  const parts: string[] = []
  let callee: ts.Expression = node.expression
  while (compiler.isPropertyAccessExpression(callee)) {
    parts.unshift(callee.name.text)
    callee = callee.expression
  }
  if (compiler.isIdentifier(callee)) parts.unshift(callee.text)
  return parts.length === 0 ? undefined : parts.join('.')
}
