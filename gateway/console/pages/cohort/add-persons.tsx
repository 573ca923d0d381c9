import { useState } from 'preact/hooks'
import { forgetResources } from '../../data/resource.ts'
import { Button } from '../../kit/button.tsx'
import { toast } from '../../kit/toasts.tsx'
import { UPLOAD_TEXTS as TEXTS } from './texts.ts'
import { doneText, type IdFile } from './upload.ts'
import { UploadField } from './upload-field.tsx'
import { useUpload } from './use-upload.tsx'

type AddPersonsProps = {
  readonly project: number
  readonly cohort: number
  readonly onAdded: () => void
}

/** Adds persons to a static cohort by a file of their distinct ids. */
export function AddPersons({ project, cohort, onAdded }: AddPersonsProps) {
  const [file, setFile] = useState<IdFile>()
  /** Empties the field once the file is sent. */
  const [round, setRound] = useState(0)
  const upload = useUpload(project)
  const add = async (chosen: IdFile) => {
    const done = await upload.send(cohort, chosen)
    if (done === undefined) return
    toast(doneText(done))
    setFile(undefined)
    setRound(round + 1)
    forgetResources()
    onAdded()
  }
  return (
    <section class="cohort-part">
      <UploadField key={round} label={TEXTS.labelMore} disabled={upload.busy} onFile={setFile} />
      {upload.note}
      {file !== undefined && (
        <div>
          <Button tone="main" busy={upload.busy} onClick={() => void add(file)}>
            {upload.isStopped ? TEXTS.goOn : TEXTS.add}
          </Button>
        </div>
      )}
    </section>
  )
}
