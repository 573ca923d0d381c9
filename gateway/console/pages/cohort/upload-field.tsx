import { useState } from 'preact/hooks'
import { Field } from '../../kit/field.tsx'
import { UPLOAD_TEXTS as TEXTS } from './texts.ts'
import { fileText, type IdFile, readIdFile } from './upload.ts'

type UploadFieldProps = {
  readonly label: string
  readonly disabled?: boolean
  /** Undefined where no file is chosen, or an unusable one. */
  readonly onFile: (file: IdFile | undefined) => void
}

/** Chooses a file of distinct ids and shows its summary, or why it cannot be used. */
export function UploadField({ label, disabled = false, onFile }: UploadFieldProps) {
  const [problem, setProblem] = useState<string>()
  const [read, setRead] = useState<IdFile>()
  const choose = async (file: File | undefined) => {
    setProblem(undefined)
    setRead(undefined)
    onFile(undefined)
    if (file === undefined) return
    try {
      const found = await readIdFile(file)
      setRead(found)
      onFile(found)
    } catch (error) {
      setProblem(error instanceof Error ? error.message : TEXTS.unreadable)
    }
  }
  return (
    <>
      <Field
        label={label}
        type="file"
        accept=".csv,.txt,text/csv,text/plain"
        disabled={disabled}
        problem={problem}
        hint={TEXTS.hint}
        onClick={({ currentTarget }) => {
          // Browsers report no change when the same file is chosen again, such as a corrected one.
          currentTarget.value = ''
          void choose(undefined)
        }}
        onChange={({ currentTarget: { files } }) => void choose(files?.[0])}
      />
      {read !== undefined && (
        <p class="cohort-note cohort-file" role="status">
          {fileText(read)}
        </p>
      )}
    </>
  )
}
