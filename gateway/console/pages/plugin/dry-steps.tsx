import type { Json, PluginDryStep } from '../../../client/index.ts'
import { JsonView } from '../../kit/drawers/json-view.tsx'
import { Diff } from '../flag/diff.tsx'
import { changesBetween, completed, type DryRun } from './step-changes.ts'
import { PLUGIN_TEXTS as TEXTS } from './texts.ts'

/** Result of each plugin for the event, in order. */
export function DrySteps({ of: { event, steps } }: { readonly of: DryRun }) {
  return (
    <ol class="plugin-steps" aria-label={TEXTS.steps}>
      {steps.map((step, at) => (
        <Step key={step.config} step={step} before={beforeOf({ event, steps }, at)} at={at} />
      ))}
    </ol>
  )
}

function beforeOf({ event, steps }: DryRun, at: number): Json {
  return at === 0 ? completed(event, steps[0]?.event ?? null) : (steps[at - 1]?.event ?? null)
}

type StepProps = { readonly step: PluginDryStep; readonly before: Json; readonly at: number }

function Step({ step, before, at }: StepProps) {
  const { name, outcome, event, error, logs } = step
  const changes = event === null ? [] : changesBetween(before, event)
  const word = TEXTS.outcomes[outcome as keyof typeof TEXTS.outcomes] ?? outcome
  return (
    <li class="plugin-step">
      <h2>
        {at + 1}. {name} <span class={`plugin-outcome plugin-outcome-${outcome}`}>{word}</span>
      </h2>
      {error !== null && <p class="field-problem">{error}</p>}
      {event === null ? (
        <p class="plugin-note">{TEXTS.gone}</p>
      ) : changes.length === 0 ? (
        <p class="plugin-note">{TEXTS.unchanged}</p>
      ) : (
        <Diff changes={changes} titleOf={(field) => field} />
      )}
      {logs.length > 0 && (
        <ul class="plugin-wrote" aria-label={TEXTS.wrote}>
          {logs.map(({ type, message }, line) => (
            <li key={line}>
              <code>{type}</code> {message}
            </li>
          ))}
        </ul>
      )}
      {event !== null && (
        <details>
          <summary>{TEXTS.result}</summary>
          <JsonView value={event} open={2} />
        </details>
      )}
    </li>
  )
}
