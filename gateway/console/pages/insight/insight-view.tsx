import { useState } from 'preact/hooks'
import { listEventDefinitions, type SavedInsight } from '../../../client/index.ts'
import { AnnotationsHere } from '../../data/annotations.ts'
import { client } from '../../data/client.ts'
import { failureOf } from '../../data/failure.ts'
import { isolated } from '../../data/format.ts'
import { isRecord } from '../../data/json.ts'
import { useProject } from '../../data/projects.ts'
import { useResource } from '../../data/resource.ts'
import { Button } from '../../kit/button.tsx'
import { later } from '../../kit/later.tsx'
import { PageHead } from '../../kit/page-head.tsx'
import { useAnswer } from '../../questions/answer.ts'
import { eventsIn } from '../../questions/names-in.ts'
import { InsightResult } from '../../questions/result.tsx'
import { sentenceOf } from '../../questions/sentence.ts'
import { Builder, Kinds } from './builder.tsx'
import { SaveActions } from './save-actions.tsx'
import { INSIGHT_TEXTS as TEXTS } from './texts.ts'
import { Toolbar } from './toolbar.tsx'
import { type Edited, useQuestion } from './use-question.ts'

const JsonEditor = later(async () => (await import('./json-editor.tsx')).JsonEditor)

type InsightViewProps = {
  /** Undefined for a new one. */
  readonly insight: SavedInsight | undefined
  readonly onSaved: (insight: SavedInsight) => void
}

/** Question on the left, answer on the right. */
export function InsightView({ insight, onSaved }: InsightViewProps) {
  const { id: project } = useProject()
  const saved = isRecord(insight?.query) ? insight.query : undefined
  const edited = useQuestion(saved)
  const { question, change, isUnreadable } = edited
  const answer = useAnswer(project, question)
  const failure = answer.error === undefined ? undefined : failureOf(answer.error)
  const [isJson, setJson] = useState(false)
  const sentence = sentenceOf(question)
  const parts = { question, onChange: change }
  return (
    <>
      <PageHead
        title={insight === undefined ? TEXTS.title : insight.name || insight.short_id}
        note={<a href={`/project/${project}/insights`}>{TEXTS.back}</a>}
        call={{
          verb: 'POST',
          path: `/api/projects/${project}/query/`,
          body: JSON.stringify({ query: question }),
        }}
      >
        <Undo {...edited} />
        <SaveActions
          question={question}
          insight={insight}
          onSaved={onSaved}
          isChanged={edited.isChanged}
        />
      </PageHead>
      {isUnreadable && <p role="alert">{TEXTS.unreadable}</p>}
      <Kinds {...parts} />
      <div class="insight-columns">
        <section class="insight-question" aria-label={TEXTS.question}>
          <Builder {...parts} />
        </section>
        <section class="insight-answer" aria-label={TEXTS.answer}>
          <Toolbar {...parts} />
          <p class="insight-sentence">{sentence}</p>
          {answer.data !== undefined && <NeverSeen project={project} names={eventsIn(question)} />}
          <AnnotationsHere.Provider
            value={
              insight === undefined
                ? {}
                : { insight: { id: insight.id, shortId: insight.short_id } }
            }
          >
            <InsightResult of={answer} title={sentence} />
          </AnnotationsHere.Provider>
          <details class="insight-json" onToggle={() => setJson(true)}>
            <summary>{TEXTS.json}</summary>
            {isJson && (
              <JsonEditor {...parts} refused={failure?.kind === 'refused' ? failure : undefined} />
            )}
          </details>
        </section>
      </div>
    </>
  )
}

function Undo({ undo, redo }: Edited) {
  return (
    <span class="joined">
      <Button icon="undo" aria-label={TEXTS.undo} disabled={undo === undefined} onClick={undo} />
      <Button icon="redo" aria-label={TEXTS.redo} disabled={redo === undefined} onClick={redo} />
    </span>
  )
}

type NeverSeenProps = { readonly project: number; readonly names: readonly string[] }

/** Largest number of names that are looked up. */
const NAMES_MAX = 10
const FOUND_MAX = 200

/** Lists events of a question that were never sent: their zeros mean nothing. */
function NeverSeen({ project, names }: NeverSeenProps) {
  const asked = names.slice(0, NAMES_MAX)
  const question = asked.length > 0 ? `unseen ${project} ${JSON.stringify(asked)}` : undefined
  const unseen = useResource(question, async (signal) => {
    const isUnseen = async (search: string) => {
      const page = { project_id: project, search, limit: FOUND_MAX }
      const { count, results } = await listEventDefinitions(client, page, { signal })
      return count <= FOUND_MAX && results.every(({ name }) => name !== search)
    }
    const found = await Promise.all(asked.map(isUnseen))
    return asked.filter((_, at) => found[at])
  })
  if (unseen.isEarlier || !unseen.data?.length) return null
  return (
    <p class="insight-note" role="status">
      {TEXTS.neverSeen} {unseen.data.map(isolated).join(', ')}
    </p>
  )
}
