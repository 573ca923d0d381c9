import type { FlagConditionSet, FlagGate, FlagOutcome } from '../../../client/index.ts'
import { isRecord } from '../../data/json.ts'
import { textOf } from './model.ts'
import { conditionText, type Names } from './sentence.ts'
import { OUTCOMES, FLAG_TEXTS as TEXTS } from './texts.ts'

type TraceProps = { readonly outcome: FlagOutcome; readonly names: Names }

export function Trace({ outcome, names }: TraceProps) {
  const { value, payload, reason, active, opt_in: optIn, holdout } = outcome
  return (
    <div class="flag-trace">
      <p class="flag-value">
        <strong>{value === true ? 'true' : value === false ? 'false' : textOf(value)}</strong>
        {reason !== null && <span>{reason.description}</span>}
      </p>
      {!active && <p class="flag-note">The flag is off. It would have this value if it were on.</p>}
      {payload !== null && (
        <p>
          {TEXTS.payload}: <code>{payload}</code>
        </p>
      )}
      {optIn !== null && <Gate name="Early access" gate={optIn} />}
      {holdout !== null && <Gate name="Holdout" gate={holdout} />}
      <ol class="flag-trace-sets">
        {outcome.condition_sets.map((set, at) => (
          <SetTrace key={at} set={set} at={at} names={names} />
        ))}
      </ol>
    </div>
  )
}

type SetTraceProps = {
  readonly set: FlagConditionSet
  readonly at: number
  readonly names: Names
}

function SetTrace({ set, at, names }: SetTraceProps) {
  const { reached, outcome, properties, bucket, threshold } = set
  const words = OUTCOMES[outcome] ?? outcome
  return (
    <li class={reached ? undefined : 'flag-trace-late'}>
      <h3>
        Set {at + 1} {words}
        {!reached && ' (was not reached)'}
      </h3>
      <ul>
        {properties.map(({ property, holds, actual }, place) => (
          <li key={place}>
            <Mark holds={holds} />{' '}
            {isRecord(property) ? conditionText(property, names) : textOf(property)}
            {actual !== null && <span class="flag-actual">has {textOf(actual)}</span>}
          </li>
        ))}
        {bucket !== null && threshold < 1 && (
          <li class="figure">
            <Mark holds={bucket <= threshold} /> bucket {bucket.toFixed(3)}{' '}
            {bucket <= threshold ? '≤' : '≥'} {threshold}
          </li>
        )}
      </ul>
    </li>
  )
}

function Gate({ name, gate }: { readonly name: string; readonly gate: FlagGate }) {
  const { holds, bucket, threshold } = gate
  const words = holds === null ? 'does not apply' : holds ? 'applies' : 'does not hold'
  return (
    <p class="figure">
      {name} {words}
      {bucket !== null && ` (bucket ${bucket.toFixed(3)}, up to ${threshold})`}
    </p>
  )
}

/** Result of a condition as a sign, and as a word for screen readers. */
function Mark({ holds }: { readonly holds: boolean }) {
  return (
    <span class={holds ? 'flag-held' : 'flag-failed'}>
      <span aria-hidden="true">{holds ? '✓' : '✗'}</span>
      <span class="unseen">{holds ? 'held:' : 'failed:'}</span>
    </span>
  )
}
