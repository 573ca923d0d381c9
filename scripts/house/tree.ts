/** All sources of the repository, parsed on demand. */
import type ts from 'typescript'
import { compiler } from './compiler.ts'
import { type Export, exportsOf } from './exports.ts'
import { type Import, importsOf, REFERS_WITHIN } from './imports.ts'
import type { Repository } from './repository.ts'

/**
 * The sources of the repository as the compiler's parser reads them, without types. Each file is
 * read once, when it is first asked for.
 */
export type Tree = {
  readonly repository: Repository
  /**
   * Paths of all sources (`.ts`, `.tsx`, `.mts`, `.mjs`) except protobuf's, which import only each other.
   */
  readonly sources: readonly string[]
  importsOf(path: string): readonly Import[]
  exportsOf(path: string): readonly Export[]
  testTitlesOf(path: string): readonly string[]
}

const SOURCE = /\.(?:ts|tsx|mts|mjs)$/
const IMPORT_END = /^(?:(?:im|ex)port .*|\} )from '.*'$|^import '.*'$/gm

export function readTree(repository: Repository): Tree {
  const sources = repository.paths.filter(
    (path) => SOURCE.test(path) && !/^(?:proto\/gen|test\/fixtures)\//.test(path),
  )
  // The results are kept and the syntax is not: all syntax trees together take half a gigabyte.
  const read = remembered((path) => {
    const source = parse(path, repository.text(path))
    return {
      imports: importsOf(source),
      exports: exportsOf(source),
      testTitles: testTitlesOf(source),
    }
  })
  const imported = remembered((path) => {
    const text = repository.text(path)
    // Most lines of the tree are in tests, of which only the imports are asked for.
    const isHeadEnough = path.startsWith('test/') && !REFERS_WITHIN.test(text)
    return isHeadEnough ? importsOf(parse(path, headOf(text))) : read(path).imports
  })
  return {
    repository,
    sources,
    importsOf: imported,
    exportsOf: (path) => read(path).exports,
    testTitlesOf: (path) => read(path).testTitles,
  }
}

function parse(path: string, text: string): ts.SourceFile {
  const options = {
    languageVersion: compiler.ScriptTarget.Latest,
    jsDocParsingMode: compiler.JSDocParsingMode.ParseNone,
  }
  return compiler.createSourceFile(path, text, options, true)
}

/** The text up to its last import. */
function headOf(text: string): string {
  let end = 0
  for (const match of text.matchAll(IMPORT_END)) end = match.index + match[0].length
  return text.slice(0, end)
}

function remembered<Value>(read: (path: string) => Value): (path: string) => Value {
  const known = new Map<string, Value>()
  return (path) => {
    const kept = known.get(path)
    if (kept !== undefined) return kept
    const value = read(path)
    known.set(path, value)
    return value
  }
}

/**
 * The titles of the tests of a file: the first arguments of its calls of `test` and `t.test`.
 * Titles that are built at run time are left out.
 */
function testTitlesOf(source: ts.SourceFile): readonly string[] {
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
