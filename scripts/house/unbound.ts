/** Finds methods of classes that are taken from their object and so lose their `this`. */
import { resolve } from 'node:path'
import type ts from 'typescript'
import { compiler } from './compiler.ts'

/** A method that uses `this` and is read as a value: passed on, stored or destructured. */
export type Unbound = {
  readonly path: string
  readonly line: number
  /** As the source has it: `writer.submit`, or `submit` of a pattern `{ submit }`. */
  readonly text: string
  /** The method, with the class whose object it needs. */
  readonly method: string
}

type Method = { readonly name: string; readonly declaration: ts.MethodDeclaration }
/** A property that is read and not called; `object` is the expression or pattern it is read from. */
type Read = { readonly name: string; readonly node: ts.Node; readonly object: ts.Node }
type Declarations = readonly ts.Declaration[]

const OPTIONS: ts.CompilerOptions = {
  target: compiler.ScriptTarget.ES2022,
  module: compiler.ModuleKind.NodeNext,
  moduleResolution: compiler.ModuleResolutionKind.NodeNext,
  lib: ['lib.es2023.d.ts'],
  types: [],
  strict: true,
  allowImportingTsExtensions: true,
  noEmit: true,
}

/**
 * Finds them in the sources at `paths` below `root`. A method of an interface counts when a class
 * whose method uses `this` implements the interface. Packages are not read, so that what they
 * export is `any`: reading them would take longer than all the rest.
 */
export function unboundMethods(root: string, paths: readonly string[]): readonly Unbound[] {
  const files = paths.map((path) => resolve(root, path))
  const program = compiler.createProgram(files, OPTIONS, hostWithoutPackages(OPTIONS))
  const checker = program.getTypeChecker()
  const sources = paths.flatMap((path, index) => {
    const source = program.getSourceFile(files[index] ?? '')
    return source === undefined ? [] : [{ path, source }]
  })
  const methods = new Map<string, Method[]>()
  for (const { source } of sources) {
    for (const method of methodsOf(source)) {
      methods.set(method.name, [...(methods.get(method.name) ?? []), method])
    }
  }
  return sources.flatMap(({ path, source }) =>
    readsOf(source, methods).flatMap((read) => {
      const { name, node } = read
      const declarations = declarationsOf(checker, read)
      const found = methods.get(name)?.find((method) => isAmong(checker, method, declarations))
      if (found === undefined) return []
      const line = source.getLineAndCharacterOfPosition(node.getStart(source)).line + 1
      const owner = found.declaration.parent as ts.ClassLikeDeclaration
      const method = `${owner.name?.text ?? 'a class'}.${name}`
      return [{ path, line, text: node.getText(source), method }]
    }),
  )
}

function hostWithoutPackages(options: ts.CompilerOptions): ts.CompilerHost {
  const host = compiler.createCompilerHost(options, true)
  return {
    ...host,
    resolveModuleNameLiterals: (literals, containing) =>
      literals.map(({ text }) => {
        if (!text.startsWith('.')) return { resolvedModule: undefined }
        return compiler.resolveModuleName(text, containing, options, host)
      }),
  }
}

/** Methods of the classes of a source that use `this`. */
function methodsOf(source: ts.SourceFile): readonly Method[] {
  const found: Method[] = []
  const visit = (node: ts.Node): void => {
    if (
      compiler.isMethodDeclaration(node) &&
      compiler.isClassLike(node.parent) &&
      node.body !== undefined &&
      usesThis(node.body)
    ) {
      found.push({ name: node.name.getText(source), declaration: node })
    }
    compiler.forEachChild(node, visit)
  }
  visit(source)
  return found
}

function usesThis(node: ts.Node): boolean {
  const { ThisKeyword, SuperKeyword } = compiler.SyntaxKind
  if (node.kind === ThisKeyword || node.kind === SuperKeyword) return true
  return compiler.forEachChild(node, usesThis) ?? false
}

/** Reads of properties that have the name of one of `methods`. */
function readsOf(source: ts.SourceFile, methods: ReadonlyMap<string, unknown>): readonly Read[] {
  const found: Read[] = []
  const visit = (node: ts.Node): void => {
    if (compiler.isPropertyAccessExpression(node) && methods.has(node.name.text)) {
      if (isValue(node)) found.push({ name: node.name.text, node, object: node.expression })
    } else if (compiler.isBindingElement(node) && compiler.isObjectBindingPattern(node.parent)) {
      const name = (node.propertyName ?? node.name).getText(source)
      if (methods.has(name)) found.push({ name, node, object: node.parent })
    }
    compiler.forEachChild(node, visit)
  }
  visit(source)
  return found
}

/** Whether a property is read as a value: not called, assigned, compared or bound. */
function isValue(node: ts.Expression): boolean {
  const { parent } = node
  if (compiler.isParenthesizedExpression(parent) || compiler.isNonNullExpression(parent)) {
    return isValue(parent)
  }
  if (compiler.isCallExpression(parent)) return parent.expression !== node
  if (compiler.isPropertyAccessExpression(parent)) return false
  if (!compiler.isBinaryExpression(parent)) return true
  const { EqualsToken, EqualsEqualsEqualsToken, ExclamationEqualsEqualsToken } = compiler.SyntaxKind
  const { kind } = parent.operatorToken
  if (kind === EqualsToken) return parent.left !== node
  return kind !== EqualsEqualsEqualsToken && kind !== ExclamationEqualsEqualsToken
}

/** The declarations that a read may yield; several when the object has a union type. */
function declarationsOf(checker: ts.TypeChecker, { name, node, object }: Read): Declarations {
  if (compiler.isPropertyAccessExpression(node)) {
    return checker.getSymbolAtLocation(node.name)?.declarations ?? []
  }
  return membersOf(checker, checker.getTypeAtLocation(object), name)
}

/** Whether one of the declarations is the method, or what its class implements by it. */
function isAmong(checker: ts.TypeChecker, method: Method, declarations: Declarations): boolean {
  const { declaration, name } = method
  if (declarations.includes(declaration)) return true
  const clauses = (declaration.parent as ts.ClassLikeDeclaration).heritageClauses ?? []
  return clauses
    .flatMap(({ types }) => types)
    .flatMap((type) => membersOf(checker, checker.getTypeAtLocation(type), name))
    .some((promised) => declarations.includes(promised))
}

function membersOf(checker: ts.TypeChecker, type: ts.Type, name: string): Declarations {
  const present = checker.getNonNullableType(type)
  const kinds = present.isUnion() ? present.types : [present]
  return kinds.flatMap((kind) => checker.getPropertyOfType(kind, name)?.declarations ?? [])
}
