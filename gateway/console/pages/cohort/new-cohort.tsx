import { useState } from 'preact/hooks'
import { navigate } from 'wouter-preact/use-browser-location'
import { createCohort } from '../../../client/index.ts'
import { client } from '../../data/client.ts'
import { useProject } from '../../data/projects.ts'
import { forgetResources } from '../../data/resource.ts'
import { Button } from '../../kit/button.tsx'
import { Select } from '../../kit/field.tsx'
import { PageHead } from '../../kit/page-head.tsx'
import { toast } from '../../kit/toasts.tsx'
import { useAction } from '../../kit/use-action.ts'
import { filtersOfCriteria, NEW_CONDITION } from './criteria.ts'
import { Criteria, type Draft, NameFields, Problem } from './form.tsx'
import { COHORT_TEXTS as TEXTS, UPLOAD_TEXTS } from './texts.ts'
import { doneText, type IdFile } from './upload.ts'
import { UploadField } from './upload-field.tsx'
import { useUpload } from './use-upload.tsx'

const TYPES = [
  { value: 'dynamic', label: TEXTS.dynamic },
  { value: 'static', label: TEXTS.static },
]
const NEW: Draft = {
  name: '',
  description: '',
  criteria: { type: 'AND', values: [NEW_CONDITION] },
}

/** Form of a new cohort: from criteria, or from a file. */
export function NewCohort() {
  const { id: project } = useProject()
  const [draft, setDraft] = useState(NEW)
  const [isStatic, setStatic] = useState(false)
  const [file, setFile] = useState<IdFile>()
  /** Id of the static cohort that was created before its file was sent completely. */
  const [made, setMade] = useState<number>()
  const { busy, failure, run } = useAction(true)
  const upload = useUpload(project)
  const edit = (change: Partial<Draft>) => setDraft({ ...draft, ...change })
  const save = async () => {
    const { name, description, criteria } = draft
    const kind = isStatic
      ? { is_static: true }
      : { filters: filtersOfCriteria(criteria), is_static: false }
    const id =
      made ?? (await createCohort(client, { project_id: project, name, description, ...kind })).id
    if (isStatic && file !== undefined) {
      setMade(id)
      const done = await upload.send(id, file)
      if (done === undefined) return
      toast(doneText(done))
    } else toast(TEXTS.saved)
    forgetResources()
    navigate(`/project/${project}/cohorts/${id}`, { replace: true })
  }
  const problem = failure === undefined ? undefined : failure.detail
  const ofName = failure?.attr === 'name'
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        if (!busy) run(save)
      }}
    >
      <PageHead
        title={TEXTS.newTitle}
        note={<a href={`/project/${project}/cohorts`}>{TEXTS.back}</a>}
      >
        <Button tone="main" type="submit" busy={busy}>
          {made === undefined ? TEXTS.save : UPLOAD_TEXTS.goOn}
        </Button>
      </PageHead>
      <div class="cohort-main cohort-new">
        <NameFields draft={draft} problem={ofName ? problem : undefined} onEdit={edit} />
        <Select
          label={TEXTS.type}
          options={TYPES}
          value={isStatic ? 'static' : 'dynamic'}
          hint={isStatic ? TEXTS.staticHint : TEXTS.dynamicHint}
          disabled={made !== undefined}
          onChange={({ currentTarget: { value } }) => setStatic(value === 'static')}
        />
        {isStatic ? (
          <section class="cohort-part">
            <UploadField label={UPLOAD_TEXTS.label} disabled={busy} onFile={setFile} />
            {upload.note}
            <Problem>{ofName ? undefined : problem}</Problem>
          </section>
        ) : (
          <Criteria
            project={project}
            criteria={draft.criteria}
            problem={ofName ? undefined : problem}
            onChange={(criteria) => edit({ criteria })}
          />
        )}
      </div>
    </form>
  )
}
