/** Lists the titles of tests, for the documents that are made of them. */
import type ts from 'typescript'
import { compiler } from './compiler.ts'
import { calledName } from './functions.ts'

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
