import fc from 'fast-check'
import t from 'tap'
import { parseAbsolute } from '../../../src/conditions/dates.ts'
import { zoneOf } from '../../../src/core/time/zone.ts'
import { wallChanges } from '../../../src/core/time/zone-changes.ts'

const ZONES = [
  'UTC',
  'America/New_York',
  'America/Santiago',
  'Asia/Kolkata',
  'Pacific/Apia',
  'Africa/Casablanca',
  'Europe/Dublin',
  'Australia/Lord_Howe',
  'Antarctica/Troll',
]

t.test('the list of a zone has the offset of each face of a clock', async (t) => {
  for (const name of ZONES) {
    const zone = zoneOf(name)
    const { walls, offsets } = wallChanges(zone)
    const listed = (wall: number) =>
      wall - (offsets[walls.filter((each) => each <= wall).length] ?? 0)
    const near = walls.length === 0 ? fc.constant(0) : fc.constantFrom(...walls)
    const wall = fc.oneof(
      fc.integer({ min: -2_000_000_000, max: 5_000_000_000 }).map((second) => second * 1_000),
      fc
        .tuple(near, fc.integer({ min: -200, max: 200 }))
        .map(([at, minutes]) => at + minutes * 60_000),
    )
    fc.assert(
      fc.property(wall, (at) => {
        const text = new Date(at).toISOString().slice(0, 19)
        t.equal(listed(at), parseAbsolute(text, zone), `${name} ${text}`)
      }),
      { numRuns: 300 },
    )
  }
})
