import { getSavedInsight } from '../../../client/index.ts'
import { client } from '../../data/client.ts'
import { failureOf } from '../../data/failure.ts'
import { useProject } from '../../data/projects.ts'
import { useResource } from '../../data/resource.ts'
import { Loaded } from '../../kit/loaded.tsx'
import { PageHead } from '../../kit/page-head.tsx'
import { Skeleton } from '../../kit/skeleton.tsx'
import { NotFound } from '../not-found.tsx'
import type { PageProps } from '../page-props.ts'
import './insight.css'
import { InsightView } from './insight-view.tsx'
import { INSIGHT_TEXTS as TEXTS } from './texts.ts'

/** Insight builder, for a new question or a saved one. */
export default function InsightPage({ params }: PageProps) {
  const { short_id: shortId = 'new' } = params
  return shortId === 'new' ? (
    <InsightView insight={undefined} onSaved={() => undefined} />
  ) : (
    <Saved shortId={shortId} />
  )
}

function Saved({ shortId }: { readonly shortId: string }) {
  const { id: project } = useProject()
  const saved = useResource(`saved-insight ${project} ${shortId}`, (signal) =>
    getSavedInsight(client, { project_id: project, id: shortId }, { signal }),
  )
  if (saved.data === undefined && saved.error !== undefined) {
    if (failureOf(saved.error).kind === 'missing') return <NotFound what="insight" />
  }
  return (
    <>
      {saved.data === undefined && <PageHead title={TEXTS.insight} />}
      <Loaded of={saved} skeleton={<Skeleton height={560} />}>
        {(insight) => <InsightView insight={insight} onSaved={saved.set} />}
      </Loaded>
    </>
  )
}
