/**
 * Method and path -> handler. Fixed paths, the hot ones, are one map lookup; the others walk a tree
 * of segments in which a fixed segment outranks a parameter and a parameter the rest of the path.
 */
import { assert } from '../../src/core/code.ts'

/**
 * `path`: segments are fixed text, `:name` for one non-empty segment, or, at the end only, `*name`
 * for the non-empty rest. A trailing slash never matters.
 */
export type Route<H> = {
  readonly method: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | 'OPTIONS'
  readonly path: string
  readonly handler: H
  /** This handler also takes OPTIONS on the path, unless another route does. */
  readonly preflight?: boolean
}

export type RouteMatch<H> =
  | { readonly kind: 'found'; readonly handler: H; readonly params: RouteParams }
  /** `allow`: value of the header of that name. */
  | { readonly kind: 'method_not_allowed'; readonly allow: string }
  | { readonly kind: 'not_found' }
  /** A parameter is not percent-encoded UTF-8. */
  | { readonly kind: 'bad_path' }

/** Decoded; a parameter may hold any character, a slash included. */
export type RouteParams = Readonly<Record<string, string>>

export type Router<H> = {
  /** `path`: as sent, without the query. */
  match(method: string, path: string): RouteMatch<H>
}

type Leaf<H> = { readonly handler: H; readonly names: readonly string[]; readonly own: boolean }
type Leaves<H> = Map<string, Leaf<H>>
type Node<H> = {
  readonly fixed: Map<string, Node<H>>
  param: Node<H> | undefined
  rest: Node<H> | undefined
  readonly leaves: Leaves<H>
}
type Found<H> = { readonly leaf: Leaf<H>; readonly values: readonly string[] }

const NO_PARAMS: RouteParams = Object.freeze({})
const NOT_FOUND = { kind: 'not_found' } as const
const BAD_PATH = { kind: 'bad_path' } as const

/** @throws {InvariantError} when two routes want the same requests, or a pattern is malformed. */
export function createRouter<H>(routes: readonly Route<H>[]): Router<H> {
  const root = newNode<H>()
  for (const route of routes) addRoute(root, route)
  const fixed = new Map<string, Map<string, RouteMatch<H>>>()
  for (const { path } of routes) {
    if (path.includes('/:') || path.includes('/*')) continue
    const matches = new Map<string, RouteMatch<H>>()
    for (const [method, { handler }] of leavesAt(root, path)) {
      matches.set(method, { kind: 'found', handler, params: NO_PARAMS })
    }
    const bare = path.endsWith('/') ? path.slice(0, -1) : path
    if (bare !== '') fixed.set(bare, matches)
    fixed.set(`${bare}/`, matches)
  }
  return {
    match: (method, path) => fixed.get(path)?.get(method) ?? matchTree(root, method, path),
  }
}

function matchTree<H>(root: Node<H>, method: string, path: string): RouteMatch<H> {
  const allow = new Set<string>()
  const found = find(root, segmentsOf(path), 0, method, allow, [])
  if (found !== undefined) {
    const params = readParams(found)
    return params === undefined ? BAD_PATH : { kind: 'found', handler: found.leaf.handler, params }
  }
  if (allow.size === 0) return NOT_FOUND
  return { kind: 'method_not_allowed', allow: [...allow].sort().join(', ') }
}

/** Searches depth first, best segment first. Collects in `allow` the methods of matching paths. */
function find<H>(
  node: Node<H>,
  segments: readonly string[],
  at: number,
  method: string,
  allow: Set<string>,
  values: readonly string[],
): Found<H> | undefined {
  const segment = segments[at]
  if (segment === undefined) return leafOf(node, method, allow, values)
  const fixed = node.fixed.get(segment)
  if (fixed !== undefined) {
    const found = find(fixed, segments, at + 1, method, allow, values)
    if (found !== undefined) return found
  }
  if (node.param !== undefined && segment !== '') {
    const found = find(node.param, segments, at + 1, method, allow, [...values, segment])
    if (found !== undefined) return found
  }
  if (node.rest === undefined) return undefined
  return leafOf(node.rest, method, allow, [...values, segments.slice(at).join('/')])
}

function leafOf<H>(
  node: Node<H>,
  method: string,
  allow: Set<string>,
  values: readonly string[],
): Found<H> | undefined {
  const leaf = node.leaves.get(method)
  if (leaf !== undefined) return { leaf, values }
  for (const other of node.leaves.keys()) allow.add(other)
  return undefined
}

function readParams<H>({ leaf, values }: Found<H>): RouteParams | undefined {
  const params: [string, string][] = []
  for (const [index, name] of leaf.names.entries()) {
    const value = decode(values[index] ?? '')
    if (value === undefined) return undefined
    params.push([name, value])
  }
  return params.length === 0 ? NO_PARAMS : Object.fromEntries(params)
}

function decode(text: string): string | undefined {
  if (!text.includes('%')) return text
  try {
    return decodeURIComponent(text)
  } catch {
    return undefined // Not percent-encoded UTF-8: the only error.
  }
}

/** Without the leading slash and one trailing one. */
function segmentsOf(path: string): string[] {
  if (path === '/') return []
  return path.slice(1, path.endsWith('/') ? -1 : undefined).split('/')
}

function newNode<H>(): Node<H> {
  return { fixed: new Map(), param: undefined, rest: undefined, leaves: new Map() }
}

function addRoute<H>(root: Node<H>, { method, path, handler, preflight }: Route<H>): void {
  assert(path.startsWith('/'), `route ${path} starts with a slash`)
  const names: string[] = []
  const segments = segmentsOf(path)
  let node = root
  for (const [index, segment] of segments.entries()) {
    if (/^[:*]/.test(segment)) names.push(segment.slice(1))
    if (segment.startsWith('*')) assert(index === segments.length - 1, `${path}: * comes last`)
    node = childFor(node, segment)
  }
  assert(new Set(names).size === names.length && !names.includes(''), `${path}: names its parts`)
  const taken = node.leaves.get(method)
  assert(taken === undefined || !taken.own, `two routes for ${method} ${path}`)
  node.leaves.set(method, { handler, names, own: true })
  if (preflight === true && !node.leaves.has('OPTIONS')) {
    node.leaves.set('OPTIONS', { handler, names, own: false })
  }
}

function childFor<H>(node: Node<H>, segment: string): Node<H> {
  if (segment.startsWith(':')) {
    node.param ??= newNode()
    return node.param
  }
  if (segment.startsWith('*')) {
    node.rest ??= newNode()
    return node.rest
  }
  const child = node.fixed.get(segment) ?? newNode()
  node.fixed.set(segment, child)
  return child
}

function leavesAt<H>(root: Node<H>, path: string): Leaves<H> {
  return segmentsOf(path).reduce(childFor, root).leaves
}
