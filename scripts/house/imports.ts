/** Lists what a source imports. */
import { posix } from 'node:path'
import type ts from 'typescript'
import { compiler } from './compiler.ts'

/** One reference from a file to another one of the repository. */
export type Import = {
  /** Path of the other file from the root. */
  readonly target: string
  /** `thread`: the file is named by its URL, as the script of a thread or a module loaded there. */
  readonly kind: 'static' | 'type' | 'dynamic' | 'thread' | 'reexport'
  /** The imported names; `undefined` means all, as with `import * as`. */
  readonly names: readonly string[] | undefined
}

/** A file without this text has references only in its import statements. */
export const REFERS_WITHIN = /\bimport\(|\bimport\.meta\.url\b/

/** All references of a file in the order of its text. Packages and Node's modules are left out. */
export function importsOf(source: ts.SourceFile): readonly Import[] {
  const isDeep = REFERS_WITHIN.test(source.text)
  const found: Import[] = []
  const add = (specifier: ts.Node | undefined, rest: Omit<Import, 'target'>) => {
    const target = targetOf(source.fileName, specifier)
    if (target !== undefined) found.push({ target, ...rest })
  }
  const visit = (node: ts.Node): void => {
    if (compiler.isImportDeclaration(node)) {
      const clause = node.importClause
      const kind = clause?.isTypeOnly ? 'type' : 'static'
      add(node.moduleSpecifier, { kind, names: importedNames(clause) })
      return
    }
    if (compiler.isExportDeclaration(node)) {
      add(node.moduleSpecifier, { kind: 'reexport', names: reexportedNames(node) })
      return
    }
    if (compiler.isImportTypeNode(node)) {
      const argument = node.argument
      const name = node.qualifier && leftmost(node.qualifier)
      if (compiler.isLiteralTypeNode(argument))
        add(argument.literal, { kind: 'type', names: name === undefined ? undefined : [name] })
    } else if (compiler.isCallExpression(node) || compiler.isNewExpression(node)) {
      const [first, second] = node.arguments ?? []
      if (node.expression.kind === compiler.SyntaxKind.ImportKeyword)
        add(first, { kind: 'dynamic', names: awaitedNames(node) })
      else if (second !== undefined && isOwnUrl(second))
        add(first, { kind: 'thread', names: undefined })
    }
    if (isDeep) compiler.forEachChild(node, visit)
  }
  compiler.forEachChild(source, visit)
  return found
}

function importedNames(clause: ts.ImportClause | undefined): readonly string[] | undefined {
  const bindings = clause?.namedBindings
  if (clause === undefined) return []
  if (bindings === undefined) return ['default']
  if (compiler.isNamespaceImport(bindings)) return undefined
  return bindings.elements.map(({ propertyName, name }) => (propertyName ?? name).text)
}

function reexportedNames({ exportClause }: ts.ExportDeclaration): readonly string[] | undefined {
  if (exportClause === undefined || compiler.isNamespaceExport(exportClause)) return undefined
  return exportClause.elements.map(({ propertyName, name }) => (propertyName ?? name).text)
}

/** Names taken of `await import(…)`: `(await import(…)).name` or `const { name } = await …`. */
function awaitedNames(call: ts.Node): readonly string[] | undefined {
  let user = call.parent
  while (compiler.isAwaitExpression(user) || compiler.isParenthesizedExpression(user))
    user = user.parent
  if (compiler.isPropertyAccessExpression(user)) return [user.name.text]
  if (!compiler.isVariableDeclaration(user) || !compiler.isObjectBindingPattern(user.name))
    return undefined
  return user.name.elements.flatMap(({ propertyName, name }) => {
    const named = propertyName ?? name
    return compiler.isIdentifier(named) ? [named.text] : []
  })
}

function leftmost(name: ts.EntityName): string {
  return compiler.isIdentifier(name) ? name.text : leftmost(name.left)
}

/** Whether an expression is `import.meta.url`. */
function isOwnUrl(node: ts.Node): boolean {
  return (
    compiler.isPropertyAccessExpression(node) &&
    compiler.isMetaProperty(node.expression) &&
    node.name.text === 'url'
  )
}

/**
 * The file that a specifier names. A specifier without an extension, or with one that is chosen at
 * run time (`./x.${extension}`), names the source.
 */
function targetOf(importer: string, specifier: ts.Node | undefined): string | undefined {
  if (specifier === undefined) return undefined
  let text: string
  if (compiler.isStringLiteralLike(specifier)) text = specifier.text
  else if (compiler.isTemplateExpression(specifier)) text = specifier.head.text
  else return undefined
  if (!/^\.\.?\//.test(text)) return undefined
  const path = posix.join(posix.dirname(importer), text)
  if (text.endsWith('.')) return `${path}ts`
  return posix.extname(path) === '' && !path.endsWith('/') ? `${path}.ts` : path
}
