import { compileTest, type PropertyTest } from '../conditions/decide.ts'
import { learnPatterns } from '../conditions/patterns/learn-patterns.ts'
import { compilePattern } from '../conditions/patterns/regex.ts'
import { cohortIdOf } from '../core/ids.ts'
import { isObject, type JsonObject, listOf, own } from '../core/json.ts'
import { COHORT_DEPTH_MAX } from '../core/limits/limits.ts'
import type { Zone } from '../core/time/zone.ts'
import type { Work } from '../core/work/turns.ts'
import type { CohortDefinition } from './definition.ts'
import type { FailureCode } from './flag-result.ts'
import { dependencyOrder } from './order.ts'
import type { Subject } from './subject.ts'

const EVERYONE: Shape = { kind: 'every', parts: [] }
const UNREADABLE: Shape = { kind: 'unreadable' }

/** A cohort ready to be evaluated. */
export type Cohort = {
  readonly id: number
  /** Place in `Cohorts.list` and in `Subject.cohortOutcomes`. */
  readonly position: number
  /** `undefined`: membership is stored. */
  readonly rule: Rule | undefined
  /** It, or a cohort within it, contains itself, is unknown or lies too deep. */
  readonly failure: FailureCode | undefined
  /** Person properties it reads, those of inner cohorts included. */
  readonly personKeys: ReadonlySet<string>
  /** Whether it, or an inner one, reads stored membership. */
  readonly readsMembership: boolean
}

export type Cohorts = {
  readonly list: readonly Cohort[]
  /** Without deleted ones. */
  readonly byId: ReadonlyMap<number, Cohort>
}

/** Compiled definition of a cohort. */
export type Rule =
  | { readonly kind: 'every' | 'some'; readonly rules: readonly Rule[] }
  | {
      readonly kind: 'person'
      readonly key: string
      readonly test: PropertyTest
      /** Source of the test, for code that writes it in SQL. */
      readonly leaf: JsonObject
      readonly negated: boolean
    }
  | { readonly kind: 'cohort'; readonly id: number; readonly negated: boolean }
  | { readonly kind: 'behaviour' }
  /** A leaf that cannot be evaluated: no match, negated or not. */
  | { readonly kind: 'never' }

const NEVER: Rule = { kind: 'never' }

/** References of a definition, for checks before it is used. */
export type DefinitionFacts = {
  readonly cohortIds: ReadonlySet<number>
  readonly behavioural: boolean
  readonly personKeys: ReadonlySet<string>
}

/** Reads a stored definition; no test of it is compiled. Never throws. */
export function inspectDefinition(filters: unknown): DefinitionFacts {
  const known = isObject(filters) ? inspected.get(filters) : undefined
  if (known !== undefined) return known
  const facts = factsOf(readDefinition(filters))
  if (isObject(filters)) inspected.set(filters, facts)
  return facts
}

/** By definition, which is immutable: flags name the same cohort again and again. */
const inspected = new WeakMap<object, DefinitionFacts>()

/** Makes a test of a leaf. */
type CompileTest = (leaf: JsonObject) => PropertyTest

/** Test of cohorts that are never evaluated. */
const UNTESTED: PropertyTest = { whenMissing: false, test: () => false }

/** Cohorts in the form of `compileCohorts`, for reading their leaves without evaluation. */
export function readCohorts(definitions: readonly CohortDefinition[]): Cohorts {
  return cohortsWith(definitions, () => UNTESTED)
}

function cohortsWith(definitions: readonly CohortDefinition[], compile: CompileTest): Cohorts {
  const alive = definitions.filter((definition) => !definition.deleted)
  return orderCohorts(
    alive,
    alive.map((definition) => parse(definition, compile)),
  )
}

/** Compiles cohorts in steps, those that they contain before them. Never throws. */
export function* compilingCohorts(
  definitions: readonly CohortDefinition[],
  zone: Zone,
): Work<Cohorts> {
  const alive = definitions.filter((definition) => !definition.deleted)
  const parsed: Parsed[] = []
  for (const definition of alive) {
    const held = yield* holdPatterns(definition.isStatic ? null : definition.filters)
    parsed.push(parse(definition, (leaf) => compileTest(leaf, zone)))
    held.length = 0 // The tests hold them from now on.
  }
  return orderCohorts(alive, parsed)
}

/** Compiles the patterns of conditions. They stay cached as long as the result is held. */
export function* holdPatterns(conditions: unknown): Work<unknown[]> {
  const held: unknown[] = []
  yield* learnPatterns(conditions, (pattern) => held.push(compilePattern(pattern)))
  return held
}

type Parsed = { readonly rule: Rule | undefined; readonly facts: DefinitionFacts }

function parse({ isStatic, filters }: CohortDefinition, compile: CompileTest): Parsed {
  const rule = isStatic ? undefined : readDefinition(filters, compile)
  const facts = rule === undefined ? STORED_FACTS : factsOf(rule)
  return facts.behavioural ? { rule: undefined, facts: STORED_FACTS } : { rule, facts }
}

function orderCohorts(alive: readonly CohortDefinition[], parsed: readonly Parsed[]): Cohorts {
  const positions = new Map(alive.map((definition, position) => [definition.id, position]))
  const inner = parsed.map(({ facts }) =>
    [...facts.cohortIds].map((id) => positions.get(id)).filter((at) => at !== undefined),
  )
  const { order, inCycle } = dependencyOrder(alive.length, (position) => inner[position] ?? [])
  const list: Cohort[] = []
  const depths = new Int32Array(alive.length)
  for (const position of order) {
    const definition = alive[position]
    const read = parsed[position]
    if (definition === undefined || read === undefined) continue
    const contained = (inner[position] ?? []).map((at) => list[at]).filter((at) => at !== undefined)
    const depth = contained.reduce((most, { position: at }) => Math.max(most, depths[at] ?? 0), 0)
    depths[position] = depth + 1
    const endless = inCycle[position] === 1 || depth >= COHORT_DEPTH_MAX
    const unknown = (inner[position] ?? []).length < read.facts.cohortIds.size
    const personKeys = new Set(read.facts.personKeys)
    for (const cohort of contained) for (const key of cohort.personKeys) personKeys.add(key)
    list[position] = {
      id: definition.id,
      position,
      rule: read.rule,
      failure: failureOf(contained, endless, unknown),
      personKeys,
      readsMembership:
        read.rule === undefined || contained.some((cohort) => cohort.readsMembership),
    }
  }
  return { list, byId: new Map(list.map((cohort) => [cohort.id, cohort])) }
}

function failureOf(
  contained: readonly Cohort[],
  endless: boolean,
  unknown: boolean,
): FailureCode | undefined {
  if (endless) return 'dependency_cycle_cohort'
  if (unknown) return 'dependency_not_found_cohort'
  return contained.find((cohort) => cohort.failure !== undefined)?.failure
}

const STORED_FACTS: DefinitionFacts = {
  cohortIds: new Set(),
  behavioural: false,
  personKeys: new Set(),
}

function factsOf(root: Rule): DefinitionFacts {
  const cohortIds = new Set<number>()
  const personKeys = new Set<string>()
  let behavioural = false
  const stack = [root]
  for (let rule = stack.pop(); rule !== undefined; rule = stack.pop()) {
    // One by one: a spread of very many arguments would overflow the stack.
    if (rule.kind === 'every' || rule.kind === 'some') {
      for (const part of rule.rules) stack.push(part)
    } else if (rule.kind === 'person') personKeys.add(rule.key)
    else if (rule.kind === 'cohort') cohortIds.add(rule.id)
    else if (rule.kind === 'behaviour') behavioural = true
  }
  return { cohortIds, behavioural, personKeys }
}

/** Reads a stored definition; without `compile` to look at it, not to evaluate it. */
export function readDefinition(filters: unknown, compile: CompileTest = () => UNTESTED): Rule {
  return ruleOf(readShape(filters), compile)
}

function ruleOf(shape: Shape, compile: CompileTest): Rule {
  switch (shape.kind) {
    case 'every':
    case 'some':
      return { kind: shape.kind, rules: shape.parts.map((part) => ruleOf(part, compile)) }
    case 'leaf':
      return readLeaf(shape.leaf, compile)
    case 'unreadable':
      return NEVER
    default:
      return shape satisfies never
  }
}

function readLeaf(leaf: JsonObject, compile: CompileTest): Rule {
  const negated = own(leaf, 'negation') === true
  const type = own(leaf, 'type') ?? 'person'
  if (type === 'behavioral') return { kind: 'behaviour' }
  if (type === 'cohort') {
    const id = cohortIdOf(own(leaf, 'value'))
    const operator = own(leaf, 'operator') ?? 'in'
    if (id === undefined || !isCohortOperator(operator)) return NEVER
    return { kind: 'cohort', id, negated: negated !== (operator === 'not_in') }
  }
  const key = own(leaf, 'key')
  if ((type !== 'person' && type !== 'event') || typeof key !== 'string') return NEVER
  return { kind: 'person', key, test: compile(leaf), leaf, negated }
}

/** Older rows hold `exact` for `in`. */
export function isCohortOperator(operator: unknown): boolean {
  return operator === 'in' || operator === 'exact' || operator === 'not_in'
}

/** Whether the cohort holds the subject; one that cannot be resolved fails the flag at hand. */
export function holds(cohort: Cohort, cohorts: Cohorts, subject: Subject): boolean {
  if (cohort.failure !== undefined) {
    subject.failure = cohort.failure
    return false
  }
  if (cohort.rule === undefined) return subject.inStaticCohort(cohort.id)
  // Cohorts that share inner ones would else be evaluated exponentially often.
  subject.cohortOutcomes ??= new Int8Array(cohorts.list.length).fill(-1)
  const known = subject.cohortOutcomes[cohort.position]
  if (known === 0 || known === 1) return known === 1
  const outcome = ruleHolds(cohort.rule, cohorts, subject)
  if (subject.failure === undefined) subject.cohortOutcomes[cohort.position] = outcome ? 1 : 0
  return outcome
}

function ruleHolds(rule: Rule, cohorts: Cohorts, subject: Subject): boolean {
  switch (rule.kind) {
    case 'every':
      return rule.rules.every((part) => ruleHolds(part, cohorts, subject))
    case 'some':
      return rule.rules.some((part) => ruleHolds(part, cohorts, subject))
    case 'person': {
      const value = subject.personProperty(rule.key)
      const { test, whenMissing } = rule.test
      const outcome = value === undefined ? whenMissing : test(value, subject)
      return outcome !== rule.negated
    }
    case 'cohort': {
      const inner = cohorts.byId.get(rule.id)
      return inner !== undefined && holds(inner, cohorts, subject) !== rule.negated
    }
    case 'behaviour':
    case 'never':
      return false
    default:
      return rule satisfies never
  }
}

/** Tree of a stored cohort definition, whichever of its forms it was saved in. */
export type Shape =
  | { readonly kind: 'every' | 'some'; readonly parts: readonly Shape[] }
  | { readonly kind: 'leaf'; readonly leaf: JsonObject }
  /** Neither, or too deep: matches nobody. */
  | { readonly kind: 'unreadable' }

/** Reads `{properties: <definition>}`, or the definition itself. Never throws. */
export function readShape(filters: unknown): Shape {
  const wrapped = isObject(filters) && Object.hasOwn(filters, 'properties')
  return readPart(wrapped ? own(filters, 'properties') : filters, 0)
}

/** A group, a leaf, or a bare list of leaves; an empty one holds everyone. */
function readPart(value: unknown, depth: number): Shape {
  if (depth > COHORT_DEPTH_MAX) return UNREADABLE
  if (value === null || value === undefined) return EVERYONE
  if (Array.isArray(value)) {
    return { kind: 'every', parts: value.map((item: unknown) => readPart(item, depth + 1)) }
  }
  if (!isObject(value)) return UNREADABLE
  if (Object.hasOwn(value, 'key') || typeof own(value, 'type') === 'string') {
    if (!Object.hasOwn(value, 'values')) return { kind: 'leaf', leaf: value }
  }
  const parts = listOf(own(value, 'values')).map((item) => readPart(item, depth + 1))
  const type = own(value, 'type')
  const some = typeof type === 'string' && type.toUpperCase() === 'OR' && parts.length > 0
  return { kind: some ? 'some' : 'every', parts }
}
