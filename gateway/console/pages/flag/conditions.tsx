import { useState } from 'preact/hooks'
import type { JsonRecord } from '../../data/json.ts'
import { Button } from '../../kit/button.tsx'
import { Field } from '../../kit/field.tsx'
import { ConditionCard } from './condition-card.tsx'
import type { Draft } from './draft.ts'
import { closingSet, moved, setsOf, withSet, withSets } from './model.ts'
import type { Names } from './sentence.ts'
import { Split } from './split.tsx'
import { FLAG_TEXTS as TEXTS } from './texts.ts'

type ConditionsProps = {
  readonly project: number
  readonly draft: Draft
  readonly names: Names
  readonly onEdit: (change: Partial<Draft>) => void
}

const NEW_SET: JsonRecord = { properties: [], rollout_percentage: 0 }

/** Condition sets of a flag as cards, in the order of evaluation. */
export function Conditions({ project, draft, names, onEdit }: ConditionsProps) {
  const { filters } = draft
  const sets = setsOf(filters)
  const closing = closingSet(filters)
  const [dragged, setDragged] = useState<number>()
  const edit = (changed: JsonRecord) => onEdit({ filters: changed })
  return (
    <section class="flag-main" aria-labelledby="flag-who">
      <Field
        label={TEXTS.description}
        value={draft.name}
        onInput={(event) => onEdit({ name: event.currentTarget.value })}
      />
      <TagsField tags={draft.tags} onChange={(tags) => onEdit({ tags })} />
      <h2 id="flag-who">{TEXTS.who}</h2>
      {sets.length > 1 && <p class="flag-note">{TEXTS.first}</p>}
      <ol class="flag-sets">
        {sets.map((set, at) => (
          <ConditionCard
            key={at}
            project={project}
            filters={filters}
            set={set}
            at={at}
            count={sets.length}
            names={names}
            isUnreached={closing !== undefined && at > closing}
            isDragged={dragged === at}
            onChange={(next) => edit(withSet(filters, at, next))}
            onMove={(to) => edit(moved(filters, at, to))}
            onRemove={() => edit(withSets(filters, sets.toSpliced(at, 1)))}
            onDrag={setDragged}
            onDrop={() => {
              if (dragged !== undefined && dragged !== at) edit(moved(filters, dragged, at))
              setDragged(undefined)
            }}
          />
        ))}
      </ol>
      <p class="flag-close">{closing === undefined ? TEXTS.rest : TEXTS.nobodyLeft}</p>
      <div>
        <Button icon="plus" onClick={() => edit(withSets(filters, [...sets, NEW_SET]))}>
          {TEXTS.addSet}
        </Button>
      </div>
      <Split filters={filters} onChange={edit} />
    </section>
  )
}

type TagsProps = {
  readonly tags: readonly string[]
  readonly onChange: (tags: readonly string[]) => void
}

/** Tags as a text. It stays as it is typed, such as with a comma at its end. */
function TagsField({ tags, onChange }: TagsProps) {
  const [typed, setTyped] = useState('')
  const isOwn = tagsIn(typed).join() === tags.join()
  return (
    <Field
      label={TEXTS.tags}
      hint={TEXTS.tagsHint}
      value={isOwn ? typed : tags.join(', ')}
      autocomplete="off"
      onInput={({ currentTarget: { value } }) => {
        setTyped(value)
        onChange(tagsIn(value))
      }}
    />
  )
}

function tagsIn(text: string): readonly string[] {
  return text
    .split(',')
    .map((tag) => tag.trim())
    .filter((tag) => tag !== '')
}
