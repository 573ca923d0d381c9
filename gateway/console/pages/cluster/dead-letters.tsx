import { useState } from 'preact/hooks'
import { type DeadLetterCause, listDeadLetterCauses } from '../../../client/index.ts'
import { client } from '../../data/client.ts'
import { formatNumber } from '../../data/format.ts'
import { useResource } from '../../data/resource.ts'
import { Button } from '../../kit/button.tsx'
import { Confirm } from '../../kit/dialogs/asks.ts'
import { Loaded } from '../../kit/loaded.tsx'
import { TableSkeleton } from '../../kit/skeleton.tsx'
import { type Column, Table } from '../../kit/table.tsx'
import { Time } from '../../kit/time.tsx'
import { CLUSTER_TEXTS as TEXTS } from './texts.ts'
import { type Run, useDeadLetterRun, type What } from './use-dead-letter-run.ts'

type DeadLettersProps = {
  /** Count in the status; a change reloads the causes. */
  readonly count: number
  readonly onChanged: () => void
}

/** Causes of refused events, and actions on them. */
export function DeadLetters({ count, onChanged }: DeadLettersProps) {
  const [asked, setAsked] = useState<DeadLetterCause>()
  const causes = useResource(`dead-letters ${count}`, (signal) =>
    listDeadLetterCauses(client, { signal }),
  )
  const { run, start } = useDeadLetterRun(() => {
    causes.reload()
    onChanged()
  })
  const isBusy = run?.state === 'running'
  return (
    <section class="cluster-section" aria-labelledby="cluster-dead">
      <h2 id="cluster-dead">{TEXTS.dead}</h2>
      <p class="cluster-note">{TEXTS.deadText}</p>
      {run !== undefined && <Progress run={run} onGoOn={() => start(run.what, run.cause, run)} />}
      <Loaded
        of={causes}
        skeleton={<TableSkeleton rows={2} height={48} />}
        isEmpty={(all) => all.length === 0}
        empty={<p>{TEXTS.noDead}</p>}
      >
        {(all) => (
          <Table
            caption={TEXTS.causes}
            rows={all}
            keyOf={({ sqlstate }) => sqlstate}
            columns={columnsOf(isBusy, (cause) => start('replay', cause), setAsked)}
          />
        )}
      </Loaded>
      {asked !== undefined && (
        <Confirm
          title={TEXTS.discardTitle}
          action={TEXTS.discard}
          onConfirm={() => {
            setAsked(undefined)
            start('discard', asked)
          }}
          onClose={() => setAsked(undefined)}
        >
          <p>
            {formatNumber(asked.count)}: {asked.error}
          </p>
          <p>{TEXTS.discardText}</p>
        </Confirm>
      )}
    </section>
  )
}

type ProgressProps = { readonly run: Run; readonly onGoOn: () => void }

function Progress({ run, onGoOn }: ProgressProps) {
  const { what, cause, done, goal, state, detail } = run
  const counts: readonly (readonly [What, number, string])[] = [
    ['replay', done.stored, TEXTS.stored],
    ['replay', done.refused, TEXTS.refused],
    ['discard', done.discarded, TEXTS.discarded],
  ]
  const words = counts
    .filter(([of, count]) => of === what || count > 0)
    .map(([, count, word]) => `${formatNumber(count)} ${word}`)
  const name = `${what === 'replay' ? TEXTS.replay : TEXTS.discard} ${cause.sqlstate}`
  return (
    <div class="cluster-run">
      <progress aria-label={name} max={Math.max(1, goal)} value={done.matched} />
      <p role="status">
        {name}: {formatNumber(done.matched)} of {formatNumber(goal)}, {words.join(', ')}
        {state === 'done' && ` · ${TEXTS.done}`}
        {state === 'stopped' && ` · ${TEXTS.stopped}: ${detail}`}
      </p>
      {state === 'stopped' && <Button onClick={onGoOn}>{TEXTS.goOn}</Button>}
    </div>
  )
}

function columnsOf(
  isBusy: boolean,
  onReplay: (cause: DeadLetterCause) => void,
  onDiscard: (cause: DeadLetterCause) => void,
): readonly Column<DeadLetterCause>[] {
  return [
    {
      key: 'cause',
      title: TEXTS.cause,
      cell: ({ sqlstate, error }) => (
        <>
          <code>{sqlstate}</code> <span class="cluster-error">{error}</span>
        </>
      ),
    },
    {
      key: 'count',
      title: TEXTS.count,
      align: 'end',
      cell: ({ count }) => formatNumber(count),
    },
    {
      key: 'projects',
      title: TEXTS.projects,
      align: 'end',
      cell: ({ projects }) => formatNumber(projects),
    },
    { key: 'newest', title: TEXTS.newest, cell: ({ newest_at: at }) => <Time value={at} /> },
    {
      key: 'actions',
      title: TEXTS.actions,
      cell: (cause) => (
        <span class="cluster-actions">
          <Button
            disabled={isBusy}
            aria-label={`${TEXTS.replay} ${cause.sqlstate}`}
            onClick={() => onReplay(cause)}
          >
            {TEXTS.replay}
          </Button>
          <Button
            tone="danger"
            disabled={isBusy}
            aria-label={`${TEXTS.discard} ${cause.sqlstate}`}
            onClick={() => onDiscard(cause)}
          >
            {TEXTS.discard}
          </Button>
        </span>
      ),
    },
  ]
}
