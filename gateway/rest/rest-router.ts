/**
 * Paths of the management interface as a tree of segments. A literal segment wins over a parameter,
 * whatever the method: `/plugin_configs/rearrange/` is never a config of that id.
 */
import { assert } from '../../src/core/code.ts'
import type { ContractMethod } from '../../src/wire/proto/proto.ts'
import { type BodyRenderer, bodyRenderer } from '../../src/wire/proto/render.ts'
import type { HttpBinding } from '../../src/wire/proto/rules.ts'
import { type RequestPlan, requestPlan } from '../../src/wire/validation/request.ts'

/** One method on one path. */
export type Endpoint = {
  readonly method: ContractMethod
  readonly binding: HttpBinding
  readonly plan: RequestPlan
  readonly render: BodyRenderer
  /** Names of the path's parameters, in order. */
  readonly parameters: readonly string[]
}

/** Everything that one path offers. */
export type Route = {
  readonly template: string
  readonly endpoints: ReadonlyMap<string, Endpoint>
  /** Value of the `Allow` header. */
  readonly allow: string
}

export type Match = { readonly route: Route; readonly values: readonly string[] }

export type Router = {
  readonly routes: readonly Route[]
  /** `undefined` when the path has no method. A final slash does not matter. */
  find(path: string): Match | undefined
}

type Node = {
  readonly literals: Map<string, Node>
  parameter: Node | undefined
  template: string
  readonly endpoints: Map<string, Endpoint>
  route: Route | undefined
}

const SEGMENTS_MAX = 16
const VERB_ORDER = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS']

/** @throws {InvariantError} when two methods have one verb and path, or a template is malformed. */
export function createRouter(methods: readonly ContractMethod[]): Router {
  const root = newNode()
  for (const method of methods) {
    for (const binding of method.bindings) insert(root, method, binding)
  }
  const routes: Route[] = []
  seal(root, routes)
  return { routes, find: (path) => find(root, path) }
}

function insert(root: Node, method: ContractMethod, binding: HttpBinding): void {
  const parameters: string[] = []
  let node = root
  for (const segment of segmentsOf(binding.template)) {
    const name = /^\{(\w+)\}$/.exec(segment)?.[1]
    if (name === undefined) {
      assert(/^[\w@.~-]+$/.test(segment), `${binding.template}: unsupported segment ${segment}`)
      node = child(node, segment)
      continue
    }
    const field = method.request.fields[name]
    assert(field?.type === 'string', `${method.path}: ${name} of the path must be a string field`)
    parameters.push(name)
    node.parameter ??= newNode()
    node = node.parameter
  }
  const clash = node.endpoints.has(binding.verb)
  assert(!clash, `${binding.verb} ${binding.template} is claimed twice`)
  const isShown = !method.streaming || method.rules.media_types.length > 0
  assert(isShown, `${method.path}: REST serves no streams but those of a media type`)
  node.template = binding.template
  const render = bodyRenderer(method, binding)
  const endpoint = { method, binding, plan: requestPlan(method), render, parameters }
  node.endpoints.set(binding.verb, endpoint)
}

function child(node: Node, segment: string): Node {
  const known = node.literals.get(segment)
  if (known !== undefined) return known
  const made = newNode()
  node.literals.set(segment, made)
  return made
}

function newNode(): Node {
  return {
    literals: new Map(),
    parameter: undefined,
    template: '',
    endpoints: new Map(),
    route: undefined,
  }
}

function seal(node: Node, routes: Route[]): void {
  if (node.endpoints.size > 0) {
    const verbs = new Set([...node.endpoints.keys(), 'OPTIONS'])
    if (verbs.has('GET')) verbs.add('HEAD')
    const allow = [...verbs]
      .sort((one, other) => VERB_ORDER.indexOf(one) - VERB_ORDER.indexOf(other))
      .join(', ')
    node.route = { template: node.template, endpoints: node.endpoints, allow }
    routes.push(node.route)
  }
  for (const each of node.literals.values()) seal(each, routes)
  if (node.parameter !== undefined) seal(node.parameter, routes)
}

function find(root: Node, path: string): Match | undefined {
  const segments = segmentsOf(path)
  if (segments.length > SEGMENTS_MAX || segments.includes('')) return undefined
  const values: string[] = []
  const route = walk(root, segments, 0, values)
  return route === undefined ? undefined : { route, values: values.map(decodeSegment) }
}

function walk(
  node: Node,
  segments: readonly string[],
  at: number,
  values: string[],
): Route | undefined {
  const segment = segments[at]
  if (segment === undefined) return node.route
  const literal = node.literals.get(segment)
  const found = literal === undefined ? undefined : walk(literal, segments, at + 1, values)
  if (found !== undefined || node.parameter === undefined) return found
  values.push(segment)
  const below = walk(node.parameter, segments, at + 1, values)
  if (below === undefined) values.pop()
  return below
}

/** Segments without the first and the final slash; an empty segment in between matches nothing. */
function segmentsOf(path: string): readonly string[] {
  const end = path.endsWith('/') && path.length > 1 ? path.length - 1 : path.length
  return path.slice(1, end).split('/')
}

/** A broken escape stays as it is: the worker finds no such row and answers 404. */
function decodeSegment(segment: string): string {
  if (!segment.includes('%')) return segment
  try {
    return decodeURIComponent(segment)
  } catch {
    return segment // Not percent-encoded text after all.
  }
}
