/** Measures the functions of a source. */
import type ts from 'typescript'
import { compiler } from './compiler.ts'

/** A function with a body, from its first line to its last. Functions within it count as well. */
export type FunctionSpan = {
  /** Its own name, or that of its holder: a variable, a member, a call (`callback of run`). */
  readonly name: string
  readonly line: number
  readonly lines: number
  /** Dotted name of the call whose argument it is, such as `t.test`. */
  readonly argumentOf: string | undefined
}

export function functionsOf(source: ts.SourceFile): readonly FunctionSpan[] {
  const found: FunctionSpan[] = []
  const lineOf = (position: number) => source.getLineAndCharacterOfPosition(position).line
  const visit = (node: ts.Node): void => {
    if (compiler.isFunctionLike(node) && (node as ts.FunctionLikeDeclaration).body !== undefined) {
      const first = lineOf(node.getStart(source))
      const lines = lineOf(node.end) - first + 1
      const argumentOf = calledName(node.parent)
      found.push({ name: nameOf(node) ?? 'a function', line: first + 1, lines, argumentOf })
    }
    compiler.forEachChild(node, visit)
  }
  compiler.forEachChild(source, visit)
  return found
}

function nameOf(node: ts.SignatureDeclaration): string | undefined {
  if (compiler.isConstructorDeclaration(node)) return `constructor of ${textOf(node.parent.name)}`
  const own = textOf(node.name)
  if (own !== undefined) return own
  const called = calledName(node.parent)
  if (called !== undefined) return `callback of ${called}`
  return textOf((node.parent as ts.Node & { readonly name?: ts.Node }).name)
}

function textOf(name: ts.Node | undefined): string | undefined {
  if (name === undefined) return undefined
  if (compiler.isIdentifier(name) || compiler.isStringLiteralLike(name)) return name.text
  return compiler.isPrivateIdentifier(name) ? name.text : undefined
}

/** `t.test` of `t.test(…)`; also used to find the tests of a file. */
export function calledName(node: ts.Node): string | undefined {
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
