import { computed, signal } from '@preact/signals'
import { listProjects, type Page, type ProjectSummary, pages } from '../../client/index.ts'
import { client } from './client.ts'
import { keep, kept } from './kept.ts'
import { sessionState } from './session.ts'

/** Projects that the user may see; undefined until they are known. */
export const projects = signal<readonly ProjectSummary[] | undefined>(undefined)
/** The id in the address; undefined outside of projects. */
export const projectId = signal<number | undefined>(undefined)
export const currentProject = computed(() =>
  projects.value?.find(({ id }) => id === projectId.value),
)

const PAGE = 200

export async function loadProjects(): Promise<void> {
  const found: ProjectSummary[] = []
  const first: Promise<Page<ProjectSummary>> = listProjects(client, { limit: PAGE })
  for await (const { results } of pages(client, first)) found.push(...results)
  projects.value = found
}

/** The project of the page on screen. Pages are shown only once it is known. */
export function useProject(): ProjectSummary {
  const project = currentProject.value
  if (project === undefined) throw new Error('this page belongs to no project')
  return project
}

export function rememberProject(id: number): void {
  keep('project', String(id))
}

/** Where `/` leads: the last project, the user's own, or the first; undefined where there is none. */
export function homeProject(): number | undefined {
  const all = projects.value ?? []
  const state = sessionState.value
  const wanted = [Number(kept('project')), 'session' in state ? state.session.project_id : null]
  return (
    all.find(({ id }) => wanted[0] === id) ??
    all.find(({ id }) => wanted[1] === id) ??
    all[0]
  )?.id
}
