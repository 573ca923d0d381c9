import { useState } from 'preact/hooks'
import { navigate } from 'wouter-preact/use-browser-location'
import { type JsonObject, type SavedInsight, updateSavedInsight } from '../../../client/index.ts'
import { client } from '../../data/client.ts'
import { useProject } from '../../data/projects.ts'
import { Button } from '../../kit/button.tsx'
import { later } from '../../kit/later.tsx'
import { Menu } from '../../kit/menu.tsx'
import { toast } from '../../kit/toasts.tsx'
import { useAction } from '../../kit/use-action.ts'
import type { Asked } from './asked.ts'
import { SAVE_TEXTS as TEXTS } from './texts.ts'

type SaveActionsProps = {
  readonly question: JsonObject
  /** Undefined for a new one. */
  readonly insight: SavedInsight | undefined
  readonly isChanged: boolean
  readonly onSaved: (insight: SavedInsight) => void
}

const SaveDialogs = later(async () => (await import('./save-dialogs.tsx')).SaveDialogs)

/** Actions that stand in the head by name. */
const OPENED = [
  [TEXTS.alerts, 'alerts'],
  [TEXTS.subscribe, 'subscribe'],
  [TEXTS.share, 'share'],
] as const

/** Saves the question, and offers actions on saved ones. */
export function SaveActions({ question, insight, isChanged, onSaved }: SaveActionsProps) {
  const { id: project } = useProject()
  const [asked, setAsked] = useState<Asked>()
  return (
    <>
      {insight === undefined ? (
        <Button tone="main" onClick={() => setAsked('save')}>
          {TEXTS.save}
        </Button>
      ) : (
        <>
          {isChanged && (
            <SaveButton project={project} insight={insight} question={question} onSaved={onSaved} />
          )}
          <Menu
            label={TEXTS.download}
            icon="down"
            tone="quiet"
            items={['CSV', 'JSON', 'SVG', 'PNG'].map((label) => ({
              label,
              href: `/api/projects/${project}/insights/${insight.id}/export/?format=${label.toLowerCase()}`,
            }))}
          >
            {TEXTS.download}
          </Menu>
          {OPENED.map(([label, action]) => (
            <Button key={action} tone="quiet" onClick={() => setAsked(action)}>
              {label}
            </Button>
          ))}
          <Menu
            label={TEXTS.more}
            icon="more"
            items={[
              { label: TEXTS.toDashboard, onSelect: () => setAsked('dashboard') },
              { label: TEXTS.saveAs, onSelect: () => setAsked('save') },
              { label: TEXTS.rename, onSelect: () => setAsked('rename') },
              { label: TEXTS.remove, onSelect: () => setAsked('delete') },
            ]}
          />
        </>
      )}
      {asked !== undefined && (
        <SaveDialogs
          project={project}
          question={question}
          insight={insight}
          asked={asked}
          onSaved={onSaved}
          onClose={() => setAsked(undefined)}
        />
      )}
    </>
  )
}

type SaveButtonProps = Omit<SaveActionsProps, 'insight' | 'isChanged'> & {
  readonly project: number
  readonly insight: SavedInsight
}

function SaveButton({ project, insight, question, onSaved }: SaveButtonProps) {
  const { busy, failure, run } = useAction(true)
  const save = async () => {
    onSaved(
      await updateSavedInsight(client, {
        project_id: project,
        id: insight.short_id,
        query: question,
      }),
    )
    // The address of a saved insight needs no question.
    navigate(location.pathname + location.search)
    toast(TEXTS.saved)
  }
  return (
    <>
      {failure !== undefined && (
        <span class="field-problem" role="alert">
          {failure.detail}
        </span>
      )}
      <Button onClick={() => navigate(location.pathname + location.search)}>{TEXTS.discard}</Button>
      <Button tone="main" busy={busy} onClick={() => run(save)}>
        {TEXTS.saveChanges}
      </Button>
    </>
  )
}
