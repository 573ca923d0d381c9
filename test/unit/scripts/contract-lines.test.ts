import { readFileSync } from 'node:fs'
import protobuf from 'protobufjs'
import t from 'tap'
import { CONTRACT_RECORD, contractLines, linesOf } from '../../../scripts/api/contract-lines.ts'

t.test('the contract keeps its numbers, types and names', async (t) => {
  const recorded = readFileSync(CONTRACT_RECORD, 'utf8').trimEnd().split('\n')
  const lines = contractLines()
  t.ok(recorded.length > 500, `${recorded.length} lines are recorded`)
  const now = new Set(lines)
  // A process of the release before would read something else there, or nothing.
  t.strictSame(
    recorded.filter((line) => !now.has(line)),
    [],
  )
  const known = new Set(recorded)
  t.strictSame(
    lines.filter((line) => !known.has(line)),
    [],
    'what is new is recorded by npm run gen',
  )
})

t.test('another number, type, repetition, stream or value is another line', async (t) => {
  const parsed = (field: string, call = 'A', value = 1) => {
    const { root } = protobuf.parse(
      `syntax = "proto3"; package p; message A { ${field} } enum E { NONE = 0; ONE = ${value}; }
      service S { rpc Call(${call}) returns (A); }`,
      { keepCase: true },
    )
    root.resolveAll()
    return linesOf(root)
  }
  t.strictSame(parsed('int32 x_y = 1;'), [
    'p.A 1 x_y: int32',
    'p.E 0 NONE',
    'p.E 1 ONE',
    'p.S Call: .p.A -> .p.A',
  ])
  const before = parsed('int32 x = 1;').join()
  for (const changed of [
    parsed('int32 x = 2;'),
    parsed('int64 x = 1;'),
    parsed('int32 y = 1;'),
    parsed('repeated int32 x = 1;'),
    parsed('map<string, int32> x = 1;'),
    parsed('int32 x = 1;', 'stream A'),
    parsed('int32 x = 1;', 'A', 2),
  ]) {
    t.not(changed.join(), before)
  }
})
