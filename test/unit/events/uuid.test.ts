import t from 'tap'
import { createUuidV7, messageUuid, parseUuid } from '../../../src/events/uuid.ts'

t.test('uuids are read in each of their forms, lower-cased, and never nil', async (t) => {
  const uuid = '0190A5F2-0000-7000-8000-00000000000A'
  for (const form of [uuid, uuid.replaceAll('-', ''), `{${uuid}}`, `urn:uuid:${uuid}`]) {
    t.equal(parseUuid(form), uuid.toLowerCase(), form)
  }
  for (const bad of [
    '',
    'x',
    uuid.slice(1),
    `${uuid}0`,
    `${uuid.replaceAll('-', '')}0`,
    uuid.replace('-', ''),
    `{${uuid}`,
    `uuid:${uuid}`,
    `urn:uuid:${uuid.slice(1)}`,
    '0'.repeat(32),
    5,
    null,
    {},
    '00000000-0000-0000-0000-000000000000',
    `${uuid.slice(0, 35)}g`,
  ]) {
    t.equal(parseUuid(bad), undefined)
  }
})

t.test('message ids become stable uuids of their project', async (t) => {
  const uuid = '0190A5F2-0000-7000-8000-00000000000A'
  t.equal(messageUuid(1, uuid), uuid.toLowerCase())
  t.equal(messageUuid(1, 'ajs-1'), messageUuid(1, 'ajs-1'))
  const golden = 'fd5feb45-e2e2-5d3a-97d2-6a157cb0387c'
  t.equal(messageUuid(1, uuid.replaceAll('-', '')), golden, 'without hyphens it was derived always')
  // Half a surrogate pair is no text that could be encoded.
  t.equal(messageUuid(1, 'a\ud800'), messageUuid(1, 'a\ufffd'))
  t.not(messageUuid(1, 'ajs-1'), messageUuid(2, 'ajs-1'))
  t.match(
    messageUuid(1, 'ajs-1'),
    /^[0-9a-f]{8}-[0-9a-f]{4}-5[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/,
  )
  t.equal(
    messageUuid(1, 'golden'),
    '22f11724-60f2-5912-a94c-59f7514cb74a',
    'golden: a stored format',
  )
})

t.test('made uuids are version 7, in order of time, and differ', async (t) => {
  let now = 0
  const newUuid = createUuidV7(() => now)
  const made: string[] = []
  for (now of [0, 1, 0xfff, 1_714_557_600_000, 1_714_557_600_001]) made.push(newUuid(), newUuid())
  for (const uuid of made) {
    t.match(uuid, /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
    t.equal(parseUuid(uuid), uuid)
  }
  t.equal(new Set(made).size, made.length)
  const times = made.map((uuid) => Number.parseInt(uuid.slice(0, 8) + uuid.slice(9, 13), 16))
  t.same(times, [0, 0, 1, 1, 0xfff, 0xfff, ...[0, 0, 1, 1].map((ms) => 1_714_557_600_000 + ms)])
})
