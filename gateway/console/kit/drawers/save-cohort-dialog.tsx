import { useEffect, useRef, useState } from 'preact/hooks'
import { createCohort } from '../../../client/index.ts'
import { client } from '../../data/client.ts'
import { failureOf } from '../../data/failure.ts'
import { formatNumber } from '../../data/format.ts'
import type { Actor } from '../../data/questions.ts'
import { forgetResources } from '../../data/resource.ts'
import { Button } from '../button.tsx'
import { Dialog } from '../dialog.tsx'
import { Field } from '../field.tsx'
import { useAction } from '../use-action.ts'

type Page = { readonly limit: number; readonly offset: number }

export type PersonsOfPage = {
  readonly persons: readonly Pick<Actor, 'distinct_ids'>[]
  readonly hasMore: boolean
}

type SaveCohortDialogProps = {
  readonly project: number
  readonly load: (page: Page, signal: AbortSignal) => Promise<PersonsOfPage>
  readonly onClose: () => void
}

const PAGE = 500
const PAGE_MIN = 10
/** As many as one call adds. */
const PERSONS_MAX = 100_000
const NAME_MAX = 400

/** Saves the current persons of a list as a static cohort. */
export function SaveCohortDialog({ project, load, onClose }: SaveCohortDialogProps) {
  const { busy, failure, run } = useAction(true)
  const [read, setRead] = useState(0)
  const [made, setMade] = useState<{ readonly id: number; readonly count: number }>()
  const leaving = useRef(new AbortController())
  useEffect(() => () => leaving.current.abort(), [])
  const save = async (name: string) => {
    const ids = await idsOf(load, leaving.current.signal, setRead)
    const cohort = { project_id: project, name, is_static: true, distinct_ids: ids }
    const { id, count } = await createCohort(client, cohort)
    // Lists of cohorts on other pages are outdated.
    forgetResources()
    setMade({ id, count: count ?? ids.length })
  }
  if (made !== undefined) {
    return (
      <Dialog title="Cohort saved" onClose={onClose}>
        <p>
          {`${formatNumber(made.count)} ${made.count === 1 ? 'person is' : 'persons are'} in it. `}
          <a href={`/project/${project}/cohorts/${made.id}`}>Open the cohort</a>
        </p>
      </Dialog>
    )
  }
  return (
    <Dialog title="Save as cohort" onClose={onClose}>
      <form
        class="form"
        onSubmit={(event) => {
          event.preventDefault()
          const name = String(new FormData(event.currentTarget).get('name') ?? '').trim()
          run(() => save(name))
        }}
      >
        <Field
          label="Name"
          name="name"
          required
          autofocus
          maxLength={NAME_MAX}
          autocomplete="off"
          problem={failure?.detail}
          hint="A static cohort: the persons who are in this list now."
        />
        {busy && <p role="status">{formatNumber(read)} persons read…</p>}
        <Button tone="main" type="submit" busy={busy}>
          Save
        </Button>
      </form>
    </Dialog>
  )
}

/** A distinct id of each person. @throws {Error} with words for the user when there are too many. */
async function idsOf(
  load: SaveCohortDialogProps['load'],
  signal: AbortSignal,
  onRead: (count: number) => void,
): Promise<string[]> {
  const ids: string[] = []
  let offset = 0
  let limit = PAGE
  for (;;) {
    let page: PersonsOfPage
    try {
      page = await load({ limit, offset }, signal)
    } catch (error) {
      // Persons with many properties: a page of fewer is small enough.
      if (failureOf(error).attr?.endsWith('limit') !== true || limit <= PAGE_MIN) throw error
      limit = Math.max(PAGE_MIN, Math.floor(limit / 5))
      continue
    }
    offset += page.persons.length
    ids.push(...page.persons.flatMap(({ distinct_ids: [first] }) => (first ? [first] : [])))
    if (ids.length > PERSONS_MAX) {
      const most = formatNumber(PERSONS_MAX)
      throw new Error(`A cohort is made of up to ${most} persons of a list; these are more.`)
    }
    onRead(ids.length)
    if (!page.hasMore || page.persons.length === 0) return ids
  }
}
