import type { ShardStatus } from '../../../client/index.ts'
import { formatNumber } from '../../data/format.ts'
import { useQueryState } from '../../data/url.ts'
import { Button } from '../../kit/button.tsx'
import { type Column, Table } from '../../kit/table.tsx'
import { type Owner, ownersOf, type Status } from './model.ts'
import { OwnerMark } from './owner-mark.tsx'
import { CLUSTER_TEXTS as TEXTS } from './texts.ts'

type Owners = ReadonlyMap<string, Owner>

/** Owners of the shards: as a map, or as a list. */
export function Shards({ status }: { readonly status: Status }) {
  const [view, setView] = useQueryState('shards', 'map')
  const owners = ownersOf(status)
  const isList = view === 'list'
  return (
    <section class="cluster-section" aria-labelledby="cluster-shards">
      <header class="cluster-head">
        <div>
          <h2 id="cluster-shards">{TEXTS.shardsTitle}</h2>
          <p class="cluster-note">{TEXTS.shardsText}</p>
        </div>
        <fieldset class="joined cluster-views">
          <legend class="unseen">{TEXTS.view}</legend>
          <Button aria-pressed={!isList} onClick={() => setView('map', { replace: true })}>
            {TEXTS.map}
          </Button>
          <Button aria-pressed={isList} onClick={() => setView('list', { replace: true })}>
            {TEXTS.list}
          </Button>
        </fieldset>
      </header>
      {status.shards.length === 0 ? (
        <p class="cluster-note">{TEXTS.unknownShards}</p>
      ) : isList ? (
        <div class="cluster-list">
          <Table
            caption={TEXTS.owners}
            rows={status.shards}
            columns={columnsOf(owners)}
            keyOf={({ shard }) => shard}
          />
        </div>
      ) : (
        <ShardMap shards={status.shards} owners={owners} />
      )}
      <ul class="cluster-legend">
        {[...owners.values()].map((owner) => (
          <li key={owner.id}>
            <OwnerMark of={owner} /> {owner.name}{' '}
            <span class="figure">{formatNumber(owner.shards)}</span>
          </li>
        ))}
      </ul>
    </section>
  )
}

type ShardMapProps = { readonly shards: readonly ShardStatus[]; readonly owners: Owners }

function ShardMap({ shards, owners }: ShardMapProps) {
  return (
    <ol class="cluster-map" aria-label={TEXTS.shardsTitle}>
      {shards.map(({ shard, epoch, owner, released }) => {
        const of = owners.get(owner)
        const who = released ? TEXTS.released : (of?.name ?? owner)
        const tone = released || of === undefined ? 'none' : of.tone
        return (
          <li
            key={shard}
            class={`cluster-cell tone-${tone}`}
            title={`${TEXTS.shard} ${shard}: ${who}, ${TEXTS.epoch.toLowerCase()} ${epoch}`}
          >
            {released ? '–' : (of?.letter ?? '?')}
          </li>
        )
      })}
    </ol>
  )
}

function columnsOf(owners: Owners): readonly Column<ShardStatus>[] {
  return [
    { key: 'shard', title: TEXTS.shard, cell: ({ shard }) => shard },
    {
      key: 'owner',
      title: TEXTS.owner,
      cell: ({ owner, released }) => (
        <>
          <OwnerMark of={owners.get(owner)} /> {owners.get(owner)?.name ?? owner}
          {released && ` (${TEXTS.released})`}
        </>
      ),
    },
    { key: 'epoch', title: TEXTS.epoch, align: 'end', cell: ({ epoch }) => formatNumber(epoch) },
  ]
}
