import t from 'tap'
import type { Json } from '../../../../src/core/json.ts'
import { jobProblem } from '../../../../src/plugins/jobs/job.ts'

const JOBS = {
  export: {
    payload: {
      from: { type: 'date', required: true },
      until: { type: 'date', required: true },
      parallel: { type: 'number', default: 1, staff_only: true },
      options: { staff_only: true, default: { a: [1, 2], b: null } },
    },
  },
  plain: {},
  odd: null,
}

function problem(type: string, payload: Record<string, Json> = {}, isStaff = false) {
  return jobProblem(JOBS, { type, payload }, isStaff)
}

t.test('the checks come in one order', (t) => {
  t.match(problem(''), /type is required/)
  for (const none of [{}, null, [], 'x'] as Json[]) {
    t.match(jobProblem(none, { type: 'export', payload: {} }, false), /no public jobs/)
  }
  t.match(problem('nothing', { x: 1 }), /no public job "nothing"/)
  t.match(problem('toString'), /no public job/)
  t.match(problem('export', { parallel: 2, x: 1 }), /required field "from"/)
  t.match(problem('export', { from: 1, parallel: 2, x: 1 }), /required field "until"/)
  t.match(problem('export', { from: 1, until: 2, x: 1, parallel: 2 }), /staff .* "parallel"/)
  t.match(problem('export', { from: 1, until: 2, x: 1 }), /no field "x"/)
  t.equal(problem('export', { from: 1, until: 2 }), undefined)
  t.end()
})

t.test('staff may set what others may only repeat', (t) => {
  const dates = { from: '2023-01-01', until: null }
  t.equal(problem('export', { ...dates, parallel: 1 }), undefined, 'the default itself')
  t.equal(problem('export', { ...dates, options: { b: null, a: [1, 2] } }), undefined)
  t.match(problem('export', { ...dates, options: { b: null, a: [1, 3] } }), /staff/)
  t.match(problem('export', { ...dates, options: { b: null } }), /staff/)
  t.match(problem('export', { ...dates, parallel: '1' }), /staff/)
  t.equal(problem('export', { ...dates, parallel: 9, options: [] }, true), undefined)
  t.end()
})

t.test('a job without fields takes none', (t) => {
  t.equal(problem('plain'), undefined)
  t.equal(problem('odd'), undefined)
  t.match(problem('plain', { x: 1 }), /no field "x"/)
  t.match(problem('plain', JSON.parse('{"__proto__": 1}')), /no field "__proto__"/)
  t.end()
})
