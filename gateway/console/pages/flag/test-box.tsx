import { useState } from 'preact/hooks'
import {
  evaluateFlags,
  type FeatureFlag,
  type FlagOutcome,
  type Json,
  type JsonObject,
} from '../../../client/index.ts'
import { client } from '../../data/client.ts'
import { isRecord, parsedJson } from '../../data/json.ts'
import { Button } from '../../kit/button.tsx'
import { FailureNote } from '../../kit/failure.tsx'
import { Field } from '../../kit/field.tsx'
import { later } from '../../kit/later.tsx'
import type { Names } from './sentence.ts'
import { FLAG_TEXTS as TEXTS } from './texts.ts'

const Trace = later(async () => (await import('./test-trace.tsx')).Trace)

type TestBoxProps = {
  readonly project: number
  readonly flag: FeatureFlag
  /** Filters of a draft; undefined while nothing is changed. */
  readonly filters: Json | undefined
  readonly names: Names
}

type Outcome =
  | { readonly kind: 'none' | 'asking' }
  | { readonly kind: 'done'; readonly outcome: FlagOutcome }
  | { readonly kind: 'failed'; readonly error: unknown }

/** Evaluates the flag, or its draft, for one person, and shows the result of each condition. */
export function TestBox({ project, flag, filters, names }: TestBoxProps) {
  const [state, setState] = useState<Outcome>({ kind: 'none' })
  const [problems, setProblems] = useState<Readonly<Record<string, string>>>({})
  const [form, setForm] = useState<FormData>()
  const run = async (from: FormData) => {
    const asked = questionOf(from)
    setProblems(asked.problems)
    if (Object.keys(asked.problems).length > 0) return
    setForm(from)
    setState({ kind: 'asking' })
    try {
      const { results } = await evaluateFlags(client, {
        project_id: project,
        flag_id: flag.id,
        ...asked.question,
        ...(isRecord(filters) ? { filters } : {}),
      })
      const [outcome] = results
      if (outcome !== undefined) setState({ kind: 'done', outcome })
    } catch (error) {
      setState({ kind: 'failed', error })
    }
  }
  return (
    <section class="flag-test" aria-labelledby="flag-test">
      <h2 id="flag-test">{TEXTS.test}</h2>
      <p class="flag-note">{TEXTS.testText}</p>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          void run(new FormData(event.currentTarget))
        }}
      >
        <Field label={TEXTS.distinctId} name="distinct_id" autocomplete="off" />
        <details>
          <summary>Properties, groups, time, version</summary>
          <div class="flag-test-more">
            <Field
              label={TEXTS.properties}
              name="person_properties"
              placeholder={'{"plan": "pro"}'}
              hint={TEXTS.propertiesHint}
              problem={problems['person_properties']}
            />
            <Field
              label={TEXTS.groups}
              name="groups"
              placeholder={'{"company": "acme"}'}
              problem={problems['groups']}
            />
            <Field label={TEXTS.time} name="time" placeholder="2026-05-01T12:00:00Z" />
            <Field label={TEXTS.version} name="at" type="number" min={1} />
          </div>
        </details>
        <Button tone="main" type="submit" busy={state.kind === 'asking'}>
          {TEXTS.run}
        </Button>
      </form>
      <div aria-live="polite">
        {state.kind === 'failed' && form !== undefined && (
          <FailureNote error={state.error} onRetry={() => void run(form)} />
        )}
        {state.kind === 'done' && <Trace outcome={state.outcome} names={names} />}
      </div>
    </section>
  )
}

type Question = {
  readonly question: { readonly [name: string]: string | number | JsonObject }
  readonly problems: Readonly<Record<string, string>>
}

function questionOf(form: FormData): Question {
  const question: { [name: string]: string | number | JsonObject } = {}
  const problems: Record<string, string> = {}
  for (const name of ['distinct_id', 'time']) {
    const text = String(form.get(name) ?? '').trim()
    if (text !== '') question[name] = text
  }
  const version = Number(form.get('at') ?? '')
  if (version > 0) question['at'] = version
  for (const name of ['person_properties', 'groups']) {
    const text = String(form.get(name) ?? '').trim()
    if (text === '') continue
    const json = parsedJson(text)
    if (isRecord(json)) question[name] = json
    else problems[name] = TEXTS.badJson
  }
  return { question, problems }
}
