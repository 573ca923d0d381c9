import { listEventDefinitions } from '../../../client/index.ts'
import { client } from '../../data/client.ts'
import { isolated } from '../../data/format.ts'
import { useResource } from '../../data/resource.ts'
import { INSIGHT_TEXTS as TEXTS } from './texts.ts'

type NeverSeenProps = { readonly project: number; readonly names: readonly string[] }

/** Largest number of names that are looked up. */
const NAMES_MAX = 10
const FOUND_MAX = 200

/** Lists events of a question that were never sent: their zeros mean nothing. */
export function NeverSeen({ project, names }: NeverSeenProps) {
  const asked = names.slice(0, NAMES_MAX)
  const question = asked.length > 0 ? `unseen ${project} ${JSON.stringify(asked)}` : undefined
  const unseen = useResource(question, async (signal) => {
    const isUnseen = async (search: string) => {
      const page = { project_id: project, search, limit: FOUND_MAX }
      const { count, results } = await listEventDefinitions(client, page, { signal })
      return count <= FOUND_MAX && results.every(({ name }) => name !== search)
    }
    const found = await Promise.all(asked.map(isUnseen))
    return asked.filter((_, at) => found[at])
  })
  if (unseen.isEarlier || !unseen.data?.length) return null
  return (
    <p class="insight-note" role="status">
      {TEXTS.neverSeen} {unseen.data.map(isolated).join(', ')}
    </p>
  )
}
