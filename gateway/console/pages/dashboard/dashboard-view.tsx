import { useCallback, useRef, useState } from 'preact/hooks'
import { navigate } from 'wouter-preact/use-browser-location'
import {
  type Dashboard,
  type DashboardTile,
  type UpdateDashboardInput,
  updateDashboard,
} from '../../../client/index.ts'
import { AnnotationsHere } from '../../data/annotations.ts'
import { client } from '../../data/client.ts'
import { failureOf } from '../../data/failure.ts'
import type { Resource } from '../../data/resource.ts'
import { useQuery } from '../../data/url.ts'
import { Button } from '../../kit/button.tsx'
import { Empty } from '../../kit/empty.tsx'
import { filtersOf, textOfFilters } from '../../kit/filters/filter.ts'
import { FilterChips } from '../../kit/filters/filter-chips.tsx'
import { later } from '../../kit/later.tsx'
import { PageHead } from '../../kit/page-head.tsx'
import { DateRangePicker } from '../../kit/ranges/date-range.tsx'
import { Time } from '../../kit/time.tsx'
import { toast } from '../../kit/toasts.tsx'
import { insightTile, moved, sentTiles, textTile, withWidth } from '../../questions/tiles.ts'
import { DashboardActions, useHome } from '../dashboards/dashboard-actions.tsx'
import { createConcurrencyPool } from './concurrency-pool.ts'
import { keptWith, type Override, wordsOfKept } from './override.ts'
import { DASHBOARD_TEXTS as TEXTS } from './texts.ts'
import { type Refreshed, TileView } from './tile.tsx'

const AddInsight = later(async () => (await import('./add-insight-dialog.tsx')).AddInsight)
const TextDialog = later(async () => (await import('./text-dialog.tsx')).TextDialog)
const SubscriptionsDrawer = later(
  async () => (await import('../../kit/drawers/subscriptions-drawer.tsx')).SubscriptionsDrawer,
)

type DashboardViewProps = {
  readonly project: number
  readonly dashboard: Dashboard
  readonly resource: Resource<Dashboard>
}

/** Tiles that load at a time. */
const AT_ONCE = 2

type Asked = 'insight' | number

export function DashboardView({ project, dashboard, resource }: DashboardViewProps) {
  const [query, setQuery] = useQuery()
  const home = useHome(project)
  const [asked, setAsked] = useState<Asked>()
  const [isSubscribing, setSubscribing] = useState(false)
  const [round, setRound] = useState(0)
  const [refreshed, setRefreshed] = useState<string>()
  // Tiles are as fresh as the oldest one.
  const note = useCallback(
    (time: string) => setRefreshed((before) => (before && before < time ? before : time)),
    [],
  )
  const refresh = () => {
    setRefreshed(undefined)
    setRound(round + 1)
  }
  const override = { date: query.get('date') ?? '', filters: filtersOf(query.get('f')) }
  const change = useChange(project, dashboard, resource)
  const isHome = home.data === dashboard.id
  const kept = wordsOfKept(dashboard)
  const forget = { label: TEXTS.forget, onSelect: () => void change({ filters: {} }) }
  return (
    <>
      <PageHead
        title={dashboard.name || String(dashboard.id)}
        note={
          <>
            <a href={`/project/${project}/dashboards`}>{TEXTS.back}</a>
            {isHome && <span class="dashboard-home">{TEXTS.home}</span>}
            {refreshed !== undefined && (
              <span class="dashboard-fresh">
                {TEXTS.refreshed} <Time value={refreshed} as="ago" />
              </span>
            )}
          </>
        }
        call={{ verb: 'GET', path: `/api/projects/${project}/dashboards/${dashboard.id}/` }}
      >
        <DateRangePicker
          value={override.date}
          none={kept === '' ? TEXTS.own : `${TEXTS.kept}${kept}`}
          onChange={(date) => setQuery({ date: date || undefined })}
        />
        <Button icon="redo" onClick={refresh}>
          {TEXTS.refresh}
        </Button>
        <Button tone="main" icon="plus" onClick={() => setAsked('insight')}>
          {TEXTS.add}
        </Button>
        <DashboardActions
          project={project}
          dashboard={dashboard}
          home={home}
          items={[
            { label: TEXTS.fullScreen, onSelect: () => void fillScreen() },
            { label: TEXTS.subscribe, onSelect: () => setSubscribing(true) },
            { label: TEXTS.addText, onSelect: () => setAsked(dashboard.tiles.length) },
            ...(kept === '' ? [] : [forget]),
          ]}
          onRenamed={(name) => resource.set((before) => ({ ...before, name }))}
          onRemoved={() => navigate(`/project/${project}/dashboards`)}
        />
      </PageHead>
      <div class="dashboard-filters">
        <FilterChips
          filters={override.filters}
          onChange={(next) => setQuery({ f: textOfFilters(next) })}
        />
        {(override.date !== '' || override.filters.length > 0) && (
          <Button
            tone="quiet"
            onClick={() => {
              void change({ filters: keptWith(dashboard, override) })
              setQuery({ date: undefined, f: undefined })
            }}
          >
            {TEXTS.keep}
          </Button>
        )}
      </div>
      <AnnotationsHere.Provider value={{ dashboard: dashboard.id }}>
        <Tiles
          project={project}
          dashboard={dashboard}
          override={override}
          asked={asked}
          change={change}
          round={round}
          onAnswer={note}
          onAsk={setAsked}
        />
      </AnnotationsHere.Provider>
      {isSubscribing && (
        <SubscriptionsDrawer
          project={project}
          to={{ kind: 'dashboard', id: dashboard.id }}
          onClose={() => setSubscribing(false)}
        />
      )}
    </>
  )
}

/** Shows the page without navigation. Escape ends it. */
async function fillScreen(): Promise<void> {
  try {
    await document.getElementById('main')?.requestFullscreen()
  } catch {
    toast(TEXTS.noFullScreen, { tone: 'bad' })
  }
}

type Change = Pick<UpdateDashboardInput, 'filters'> & { readonly tiles?: readonly DashboardTile[] }

/**
 * Shows the change at once; one that is refused is taken back. Each is sent when the one before was
 * answered, and only the answer to the newest is shown: an older one would put back what was since
 * taken out.
 */
function useChange(project: number, dashboard: Dashboard, resource: Resource<Dashboard>) {
  const newest = useRef<Promise<unknown>>(Promise.resolve())
  return async ({ tiles, filters }: Change): Promise<void> => {
    if (tiles !== undefined) resource.set((before) => ({ ...before, tiles }))
    const sent = newest.current.then(() =>
      updateDashboard(client, {
        project_id: project,
        id: dashboard.id,
        ...(tiles === undefined ? {} : { tiles: sentTiles(tiles) }),
        ...(filters === undefined ? {} : { filters }),
      }),
    )
    const own = sent.catch(() => 'the next one may try')
    newest.current = own
    try {
      const next = await sent
      if (newest.current === own) resource.set(next)
    } catch (error) {
      toast(failureOf(error).detail, { tone: 'bad' })
      if (newest.current === own) resource.reload()
    }
  }
}

type TilesProps = Omit<DashboardViewProps, 'resource'> &
  Refreshed & {
    readonly override: Override
    readonly asked: Asked | undefined
    readonly onAsk: (asked: Asked | undefined) => void
    readonly change: (change: Change) => Promise<void>
  }

function Tiles(props: TilesProps) {
  const { project, dashboard, override, asked, onAsk, change, round, onAnswer } = props
  const [pool] = useState(() => createConcurrencyPool(AT_ONCE))
  const { tiles } = dashboard
  const set = (next: readonly DashboardTile[]) => {
    onAsk(undefined)
    void change({ tiles: next })
  }
  const replaced = (index: number, tile: DashboardTile) =>
    index < tiles.length ? tiles.map((each, at) => (at === index ? tile : each)) : [...tiles, tile]
  return (
    <>
      {tiles.length === 0 && <Empty title={TEXTS.emptyTitle}>{TEXTS.empty}</Empty>}
      <ul class="tiles" aria-label={TEXTS.tiles}>
        {tiles.map((tile, index) => (
          <TileView
            key={`${tile.insight ?? tile.text?.body} ${countBefore(tiles, index)}`}
            project={project}
            tile={tile}
            index={index}
            override={override}
            pool={pool}
            round={round}
            onAnswer={onAnswer}
            count={tiles.length}
            actions={{
              move: (to) => set(moved(tiles, index, to)),
              widen: (w) => set(replaced(index, { ...tile, ...withWidth(tile, w) })),
              edit: () => onAsk(index),
              remove: () => {
                set(tiles.filter((_, at) => at !== index))
                toast(TEXTS.taken, { undo: () => set(tiles) })
              },
            }}
          />
        ))}
      </ul>
      {asked === 'insight' && (
        <AddInsight
          project={project}
          onAdd={({ short_id: shortId, name, query }) =>
            set([...tiles, { ...insightTile(shortId), name, query }])
          }
          onClose={() => onAsk(undefined)}
        />
      )}
      {typeof asked === 'number' && (
        <TextDialog
          body={tiles[asked]?.text?.body ?? ''}
          onSave={(body) => {
            const old = tiles[asked]
            const layouts = old === undefined ? {} : { layouts: old.layouts }
            set(replaced(asked, { ...textTile(body), name: null, query: null, ...layouts }))
          }}
          onClose={() => onAsk(undefined)}
        />
      )}
    </>
  )
}

/** Number of earlier tiles with the same insight, which may be in the dashboard twice. */
function countBefore(tiles: readonly DashboardTile[], index: number): number {
  const { insight } = tiles[index] ?? {}
  return tiles.slice(0, index).filter((tile) => tile.insight === insight).length
}
