import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { updateCohort } from '../../../client/index.ts'
import { client } from '../../data/client.ts'
import { type Failure, failureOf } from '../../data/failure.ts'
import { UPLOAD_TEXTS as TEXTS } from './texts.ts'
import { type IdFile, NOTHING_DONE, type Progress, progressText, sendLines } from './upload.ts'

type State = {
  readonly file: IdFile
  readonly progress: Progress
  readonly failure?: Failure
}

export type Upload = {
  readonly busy: boolean
  /** Some of the file was sent, and the rest was refused: `send` continues there. */
  readonly isStopped: boolean
  /** Progress and failure, for the page. */
  readonly note: ComponentChildren
  /** Undefined where it failed. */
  readonly send: (cohort: number, file: IdFile) => Promise<Progress | undefined>
}

/** Adds the distinct ids of a file to a static cohort, piece after piece. */
export function useUpload(project: number): Upload {
  const [state, setState] = useState<State>()
  const [busy, setBusy] = useState(false)
  const send = async (cohort: number, file: IdFile) => {
    const before = state?.file === file ? state.progress : NOTHING_DONE
    let latest = before
    const add = async (csv: string) => {
      const changed = await updateCohort(client, { project_id: project, id: cohort, csv })
      return changed.not_found ?? 0
    }
    setBusy(true)
    setState({ file, progress: before })
    try {
      return await sendLines(file, before, add, (progress) => {
        latest = progress
        setState({ file, progress })
      })
    } catch (error) {
      setState({ file, progress: latest, failure: failureOf(error) })
      return undefined
    } finally {
      setBusy(false)
    }
  }
  const { file, progress, failure } = state ?? {}
  const isStopped = failure !== undefined && progress !== undefined && progress.done > 0
  return {
    busy,
    isStopped,
    send,
    note: (
      <>
        {busy && file !== undefined && progress !== undefined && (
          <p class="cohort-note" role="status">
            <progress value={progress.done} max={file.lines.length} aria-label={TEXTS.add} />{' '}
            {progressText(progress, file)}
          </p>
        )}
        {failure !== undefined && (
          <p class="field-problem" role="alert">
            {isStopped && `${TEXTS.stopped(progress.done, file?.lines.length ?? 0)} `}
            {failure.detail}
          </p>
        )}
      </>
    ),
  }
}
