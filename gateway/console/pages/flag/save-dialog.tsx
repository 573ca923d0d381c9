import { useState } from 'preact/hooks'
import {
  ApiError,
  type FeatureFlag,
  getFeatureFlag,
  updateFeatureFlag,
} from '../../../client/index.ts'
import { client } from '../../data/client.ts'
import { isRecord, type JsonRecord } from '../../data/json.ts'
import { Button } from '../../kit/button.tsx'
import { Dialog } from '../../kit/dialog.tsx'
import { FailureNote } from '../../kit/failure.tsx'
import { type Change, Diff } from './diff.tsx'
import type { Draft } from './draft.ts'
import { groupIndexOf, setsOf, textOf } from './model.ts'
import { useReach } from './reach.tsx'
import { type Names, setText } from './sentence.ts'
import { FLAG_TEXTS as TEXTS } from './texts.ts'

type SaveDialogProps = {
  readonly project: number
  /** Version that the draft is based on. */
  readonly base: FeatureFlag
  readonly draft: Draft
  readonly names: Names
  readonly onClose: () => void
  readonly onSaved: (flag: FeatureFlag) => void
  /** Called when the stored version replaces the draft. */
  readonly onTaken: (flag: FeatureFlag) => void
}

type Saving =
  | { readonly kind: 'review' | 'saving' }
  | { readonly kind: 'failed'; readonly error: unknown }
  | { readonly kind: 'conflict'; readonly theirs: FeatureFlag }

function changesOf(from: Draft, to: Draft): readonly Change[] {
  const fields = ['name', 'tags', 'filters'] as const
  return fields
    .map((field) => ({ field, before: from[field], after: to[field] }))
    .filter(({ before, after }) => JSON.stringify(before) !== JSON.stringify(after))
}

/** Shows the changes of a save and their reach; after a conflicting save, all three versions. */
export function SaveDialog(props: SaveDialogProps) {
  const { project, base, draft, names, onClose, onSaved, onTaken } = props
  const [state, setState] = useState<Saving>({ kind: 'review' })
  const save = async (version: number) => {
    setState({ kind: 'saving' })
    const { id } = base
    try {
      const { name, filters, tags } = draft
      const change = { project_id: project, id, name, tags, version }
      onSaved(await updateFeatureFlag(client, isRecord(filters) ? { ...change, filters } : change))
    } catch (error) {
      if (!(error instanceof ApiError) || error.status !== 409) {
        setState({ kind: 'failed', error })
        return
      }
      await getFeatureFlag(client, { project_id: project, id }).then(
        (theirs) => setState({ kind: 'conflict', theirs }),
        (failure: unknown) => setState({ kind: 'failed', error: failure }),
      )
    }
  }
  if (state.kind === 'conflict') {
    const { theirs } = state
    return (
      <Dialog title={TEXTS.conflict} onClose={onClose}>
        <Conflict
          base={base}
          theirs={theirs}
          draft={draft}
          names={names}
          onMine={() => void save(theirs.version)}
          onTheirs={() => onTaken(theirs)}
        />
      </Dialog>
    )
  }
  const changes = changesOf(base, draft)
  return (
    <Dialog title={TEXTS.review} onClose={onClose}>
      {changes.length === 0 && <p>{TEXTS.nothing}</p>}
      <Diff changes={changes} names={names} />
      <Reaches project={project} base={base} draft={draft} />
      {state.kind === 'failed' && (
        <FailureNote error={state.error} onRetry={() => void save(base.version)} />
      )}
      <div class="flag-actions">
        <Button onClick={onClose}>{TEXTS.cancel}</Button>
        <Button
          tone="main"
          busy={state.kind === 'saving'}
          disabled={changes.length === 0}
          onClick={() => void save(base.version)}
        >
          {TEXTS.saveNow}
        </Button>
      </div>
    </Dialog>
  )
}

type ReachesProps = Pick<SaveDialogProps, 'project' | 'base' | 'draft'>

function Reaches({ project, base, draft }: ReachesProps) {
  const old = setsOf(base.filters)
  const young = setsOf(draft.filters)
  const changed = Array.from({ length: Math.max(old.length, young.length) }, (_, at) => at).filter(
    (at) => JSON.stringify(old[at]) !== JSON.stringify(young[at]),
  )
  if (changed.length === 0) return null
  return (
    <section>
      <h3>{TEXTS.reach}</h3>
      <ul class="flag-reaches">
        {changed.map((at) => (
          <li key={at}>
            {at + 1}. <SetReach project={project} filters={base.filters} set={old[at]} /> →{' '}
            <SetReach project={project} filters={draft.filters} set={young[at]} />
          </li>
        ))}
      </ul>
    </section>
  )
}

type SetReachProps = {
  readonly project: number
  readonly filters: Draft['filters']
  readonly set: JsonRecord | undefined
}

function SetReach({ project, filters, set }: SetReachProps) {
  if (set === undefined) return <span>no such set</span>
  return <KnownReach project={project} set={set} index={groupIndexOf(filters, set)} />
}

function KnownReach(props: Parameters<typeof useReach>[0]) {
  return <span class="figure">{useReach(props)}</span>
}

type ConflictProps = {
  readonly base: FeatureFlag
  readonly theirs: FeatureFlag
  readonly draft: Draft
  readonly names: Names
  readonly onMine: () => void
  readonly onTheirs: () => void
}

/** Compares the base of the draft, the version stored meanwhile, and the draft. */
function Conflict({ base, theirs, draft, names, onMine, onTheirs }: ConflictProps) {
  const sides = [
    { title: `${TEXTS.was} (version ${base.version})`, side: base },
    { title: `${TEXTS.theirs} (version ${theirs.version})`, side: theirs },
    { title: TEXTS.yours, side: draft },
  ]
  return (
    <>
      <p>{TEXTS.conflictText}</p>
      <div class="flag-sides">
        {sides.map(({ title, side }) => (
          <section key={title}>
            <h3>{title}</h3>
            {side.name !== '' && <p>{textOf(side.name)}</p>}
            <ol>
              {setsOf(side.filters).map((set, at) => (
                <li key={at}>
                  {at + 1}. {setText(side.filters, set, names)}
                </li>
              ))}
            </ol>
          </section>
        ))}
      </div>
      <div class="flag-actions">
        <Button onClick={onTheirs}>{TEXTS.takeTheirs}</Button>
        <Button tone="main" onClick={onMine}>
          {TEXTS.keepMine}
        </Button>
      </div>
    </>
  )
}
