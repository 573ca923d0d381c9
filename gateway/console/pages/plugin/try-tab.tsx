import { useState } from 'preact/hooks'
import {
  dryRunPluginConfig,
  type Json,
  type JsonObject,
  listEvents,
  type PluginConfig,
} from '../../../client/index.ts'
import { client } from '../../data/client.ts'
import { isRecord, type JsonRecord, parsedJson } from '../../data/json.ts'
import { useProject } from '../../data/projects.ts'
import { useResource } from '../../data/resource.ts'
import { Button } from '../../kit/button.tsx'
import { Select, TextArea } from '../../kit/field.tsx'
import { Loaded } from '../../kit/loaded.tsx'
import { TableSkeleton } from '../../kit/skeleton.tsx'
import { useAction } from '../../kit/use-action.ts'
import { DrySteps } from './dry-steps.tsx'
import type { DryRun } from './step-changes.ts'
import { EXAMPLE_EVENT, PLUGIN_TEXTS as TEXTS } from './texts.ts'

const EVENTS_OFFERED = 20

/** Dry run of the pipeline up to this plugin, with a stored or another event. Stores nothing. */
export function TryTab({ config }: { readonly config: PluginConfig }) {
  const { id: project } = useProject()
  const events = useResource(`plugin-events ${project}`, async (signal) => {
    const page = { project_id: project, shape: 'native' as const, limit: EVENTS_OFFERED }
    const { results } = await listEvents(client, page, { signal })
    // In the native shape all results are objects.
    return (results as readonly Json[]).filter(isRecord).map(captured)
  })
  return (
    <Loaded of={events} skeleton={<TableSkeleton rows={4} height={64} />}>
      {(offered) => <TryForm config={config} offered={offered} />}
    </Loaded>
  )
}

/** A stored event in the form of a capture. */
function captured({ event, distinct_id, timestamp, properties }: JsonRecord): JsonObject {
  const all = isRecord(properties) ? properties : {}
  const { $set, $set_once, ...rest } = all
  // Properties that the server adds about plugins are not part of a plugin's input.
  const others = Object.fromEntries(
    Object.entries(rest).filter(([name]) => !name.startsWith('$plugins_')),
  )
  return {
    event: event ?? '',
    distinct_id: distinct_id ?? '',
    timestamp: timestamp ?? '',
    properties: others,
    ...($set === undefined ? {} : { $set }),
    ...($set_once === undefined ? {} : { $set_once }),
  }
}

type TryFormProps = {
  readonly config: PluginConfig
  readonly offered: readonly JsonObject[]
}

function TryForm({ config, offered }: TryFormProps) {
  const { id: project } = useProject()
  const [chosen, setChosen] = useState(offered.length === 0 ? -1 : 0)
  const [text, setText] = useState(() => textOf(offered[0] ?? EXAMPLE_EVENT))
  const [done, setDone] = useState<DryRun>()
  const { busy, failure, run } = useAction(true)
  const event = parsedJson(text)
  const isBad = !isRecord(event)
  const start = () =>
    run(async () => {
      if (!isRecord(event)) return
      const asked = { project_id: project, id: config.id, event }
      const { steps } = await dryRunPluginConfig(client, asked)
      setDone({ event, steps })
    })
  const options = [
    ...offered.map((each, at) => ({ value: String(at), label: labelOf(each) })),
    { value: '-1', label: TEXTS.ownEvent },
  ]
  return (
    <div class="plugin-columns">
      <form
        class="plugin-stack"
        onSubmit={(sent) => {
          sent.preventDefault()
          start()
        }}
      >
        <Select
          label={TEXTS.event}
          hint={TEXTS.eventHint}
          options={options}
          value={String(chosen)}
          onChange={({ currentTarget }) => {
            const at = Number(currentTarget.value)
            setChosen(at)
            setText(textOf(offered[at] ?? EXAMPLE_EVENT))
          }}
        />
        <TextArea
          label={TEXTS.json}
          name="event"
          rows={16}
          spellcheck={false}
          value={text}
          problem={isBad ? TEXTS.badEvent : failure?.detail}
          onInput={({ currentTarget }) => setText(currentTarget.value)}
        />
        <p class="plugin-note">{TEXTS.runNote}</p>
        <div>
          <Button tone="main" type="submit" busy={busy} disabled={isBad}>
            {TEXTS.run}
          </Button>
        </div>
      </form>
      {done !== undefined && <DrySteps of={done} />}
    </div>
  )
}

function textOf(event: JsonObject): string {
  return JSON.stringify(event, null, 2)
}

function labelOf({ event, distinct_id: id, timestamp }: JsonObject): string {
  return `${String(event)} · ${String(id)} · ${String(timestamp).slice(0, 19)}`
}
