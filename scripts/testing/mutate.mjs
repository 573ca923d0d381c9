// Mutants of a source: small mistakes in one operator, constant, condition or call.
import { createRequire } from 'node:module'

// An import would look for the names of its exports, in nine megabytes.
const ts = createRequire(import.meta.url)('typescript')

const FLIPS = new Map([
  ['===', '!=='],
  ['!==', '==='],
  ['<', '<='],
  ['<=', '<'],
  ['>', '>='],
  ['>=', '>'],
  ['&&', '||'],
  ['||', '&&'],
  ['??', '&&'],
  ['+', '-'],
  ['-', '+'],
  ['*', '+'],
])

/**
 * Every mutant of a TypeScript source, in the order of its text.
 * @param {string} source
 * @returns {readonly { line: number, before: string, after: string, text: string }[]} the line's text
 * before and after the change, and the whole source with it.
 */
export function mutantsOf(source) {
  const file = ts.createSourceFile('source.ts', source, ts.ScriptTarget.Latest, true)
  const mutants = []
  const put = (node, after) => {
    const from = node.getStart(file)
    const to = node.getEnd()
    const line = file.getLineAndCharacterOfPosition(from).line + 1
    const text = source.slice(0, from) + after + source.slice(to)
    mutants.push({ line, before: source.slice(from, to), after, text })
  }
  const visit = (node) => {
    // Types do nothing when they run.
    if (ts.isTypeNode(node) || ts.isImportDeclaration(node)) return
    mutate(node, put)
    ts.forEachChild(node, visit)
  }
  visit(file)
  return mutants
}

function mutate(node, put) {
  if (ts.isBinaryExpression(node)) {
    const flipped = FLIPS.get(node.operatorToken.getText())
    if (flipped !== undefined) put(node.operatorToken, flipped)
  } else if (ts.isNumericLiteral(node)) {
    put(node, String(Number(node.text.replaceAll('_', '')) + 1))
  } else if (node.kind === ts.SyntaxKind.TrueKeyword) put(node, 'false')
  else if (node.kind === ts.SyntaxKind.FalseKeyword) put(node, 'true')
  else if (ts.isIfStatement(node)) put(node.expression, `!(${node.expression.getText()})`)
  else if (ts.isExpressionStatement(node) && isCall(node.expression)) put(node, ';')
}

function isCall(node) {
  return ts.isCallExpression(node) || (ts.isAwaitExpression(node) && isCall(node.expression))
}
