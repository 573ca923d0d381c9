import { useState } from 'preact/hooks'
import { labelOf } from '../../../../src/core/charts/label.ts'
import type { Json, Person } from '../../../client/index.ts'
import { cut } from '../../data/format.ts'
import { isRecord } from '../../data/json.ts'
import { Button } from '../../kit/button.tsx'
import { copyText } from '../../kit/copy-as.tsx'
import { JsonView } from '../../kit/drawers/json-view.tsx'
import { Field } from '../../kit/field.tsx'
import { LongText } from '../../kit/long-text.tsx'
import { Name } from '../../kit/names/name.tsx'
import { Time } from '../../kit/time.tsx'
import { type PersonEvent, setterOf } from './person-data.ts'
import { PERSON_TEXTS as TEXTS } from './texts.ts'

const KEY_CHARS_MAX = 400
/** Number of properties above which a search helps. */
const SEARCHED_FROM = 10

type PropertiesProps = { readonly properties: Json; readonly events: readonly PersonEvent[] }

/** Properties of the person; on demand with the loaded event that set each. */
export function Properties({ properties, events }: PropertiesProps) {
  const known = Object.entries(isRecord(properties) ? properties : {})
  const [isHistory, setHistory] = useState(false)
  const [search, setSearch] = useState('')
  known.sort(([one], [other]) => labelOf(one).localeCompare(labelOf(other)))
  const shown = known.filter((each) => isFound(each, search))
  return (
    <section class="person-card" aria-labelledby="properties">
      <header class="person-card-head">
        <h2 id="properties">{TEXTS.properties}</h2>
        {known.length > 0 && (
          <Button tone="quiet" aria-pressed={isHistory} onClick={() => setHistory(!isHistory)}>
            {isHistory ? TEXTS.hideHistory : TEXTS.showHistory}
          </Button>
        )}
      </header>
      {known.length === 0 && <p class="person-none">{TEXTS.noProperties}</p>}
      {known.length > SEARCHED_FROM && (
        <Field
          label={TEXTS.searchProperties}
          labelHidden
          type="search"
          placeholder={TEXTS.searchProperties}
          value={search}
          onInput={({ currentTarget: { value } }) => setSearch(value)}
        />
      )}
      <dl class="person-properties">
        {shown.map(([key, value]) => {
          const setter = isHistory ? setterOf(events, key, value) : undefined
          return (
            <div key={key}>
              <dt>
                <Name of={cut(key, KEY_CHARS_MAX)} />
              </dt>
              <dd>
                {typeof value === 'string' ? (
                  <LongText text={value} />
                ) : (
                  <JsonView value={value} open={0} />
                )}
                {setter !== undefined && (
                  <span class="person-since">
                    {TEXTS.set} <Time value={setter.timestamp} />{' '}
                    {TEXTS.setBy(labelOf(setter.event))}
                  </span>
                )}
              </dd>
            </div>
          )
        })}
      </dl>
    </section>
  )
}

/** Words in the name, its label or the value. */
function isFound([key, value]: readonly [string, Json], search: string): boolean {
  const text = `${key} ${labelOf(key)} ${JSON.stringify(value)}`.toLowerCase()
  return text.includes(search.trim().toLowerCase())
}

export function Ids({ person }: { readonly person: Person }) {
  const { distinct_ids, distinct_id_count } = person
  return (
    <section class="person-card" aria-labelledby="ids">
      <h2 id="ids">{TEXTS.ids}</h2>
      <ul class="person-ids">
        {distinct_ids.map((id) => (
          <li key={id}>
            <code>{id}</code>
            <Button
              tone="quiet"
              icon="copy"
              aria-label={`${TEXTS.copy} ${id}`}
              onClick={() => void copyText(id, 'Distinct id')}
            />
          </li>
        ))}
      </ul>
      {distinct_id_count > distinct_ids.length && (
        <p class="person-none">{TEXTS.moreIds(distinct_id_count - distinct_ids.length)}</p>
      )}
    </section>
  )
}
