/** Lists what a source exports. */
import type ts from 'typescript'
import { compiler } from './compiler.ts'

/** A name that a file exports. */
export type Export = {
  readonly name: string
  readonly line: number
  readonly kind: 'value' | 'type'
  /** Whether the file itself uses the name, beside declaring it. */
  readonly isUsedHere: boolean
}

/** The names that a file exports. The names of `export * from` count as imports. */
export function exportsOf(source: ts.SourceFile): readonly Export[] {
  const uses = usesOf(source)
  const found = new Map<string, Export>()
  const add = (name: ts.Identifier, kind: Export['kind']) => {
    if (found.has(name.text)) return // An overload.
    const line = source.getLineAndCharacterOfPosition(name.getStart(source)).line + 1
    const isUsedHere = (uses.get(name.text) ?? 0) > 0
    found.set(name.text, { name: name.text, line, kind, isUsedHere })
  }
  for (const statement of source.statements) {
    if (compiler.isExportDeclaration(statement)) addClause(statement, add)
    else if (isExported(statement)) addDeclared(statement, add)
  }
  return [...found.values()]
}

type Add = (name: ts.Identifier, kind: Export['kind']) => void

/** Adds `export { a, type B }`, with or without `from`. */
function addClause({ exportClause, isTypeOnly }: ts.ExportDeclaration, add: Add): void {
  if (exportClause === undefined || !compiler.isNamedExports(exportClause)) return
  for (const element of exportClause.elements)
    if (compiler.isIdentifier(element.name))
      add(element.name, isTypeOnly || element.isTypeOnly ? 'type' : 'value')
}

function addDeclared(statement: ts.Statement, add: Add): void {
  if (compiler.isVariableStatement(statement)) {
    for (const { name } of statement.declarationList.declarations)
      for (const bound of boundNames(name)) add(bound, 'value')
  } else if (compiler.isFunctionDeclaration(statement) || compiler.isClassDeclaration(statement)) {
    if (statement.name !== undefined) add(statement.name, 'value')
  } else if (
    compiler.isTypeAliasDeclaration(statement) ||
    compiler.isInterfaceDeclaration(statement)
  ) {
    add(statement.name, 'type')
  }
}

function isExported(statement: ts.Statement): boolean {
  if (!compiler.canHaveModifiers(statement)) return false
  const modifiers = compiler.getModifiers(statement) ?? []
  return modifiers.some(({ kind }) => kind === compiler.SyntaxKind.ExportKeyword)
}

function boundNames(name: ts.BindingName): readonly ts.Identifier[] {
  if (compiler.isIdentifier(name)) return [name]
  return name.elements.flatMap((element) =>
    compiler.isOmittedExpression(element) ? [] : boundNames(element.name),
  )
}

/** How often each name is used as a variable or a type. Names of members do not count. */
function usesOf(source: ts.SourceFile): ReadonlyMap<string, number> {
  const uses = new Map<string, number>()
  const visit = (node: ts.Node): void => {
    if (compiler.isIdentifier(node) && isUse(node))
      uses.set(node.text, (uses.get(node.text) ?? 0) + 1)
    compiler.forEachChild(node, visit)
  }
  compiler.forEachChild(source, visit)
  return uses
}

function isUse(name: ts.Identifier): boolean {
  const parent = name.parent as ts.Node & { readonly name?: ts.Node }
  if (compiler.isShorthandPropertyAssignment(parent)) return true
  if (compiler.isImportSpecifier(parent)) return false
  if (compiler.isExportSpecifier(parent)) return false
  return parent.name !== name // Neither where it is declared nor the name of a member.
}
