/** Values of the field `web_goals` of a project that are taken, and those that are refused. */
type Wrong = readonly [sent: unknown, code: string, detail?: string, attr?: string]
type GoalsField = {
  readonly name: string
  readonly taken: readonly (readonly [sent: unknown])[]
  readonly refused: readonly Wrong[]
}

export const GOALS_FIELD: GoalsField = {
  name: 'web_goals',
  taken: [
    [[{ name: 'Paid', event: 'paid' }]],
    [[{ name: 'Plan', event: '$pageview', properties: [{ key: '$pathname', value: '/plan' }] }]],
    [[]],
  ],
  refused: [
    [null, 'null', 'This field may not be null.'],
    [{}, 'not_a_list'],
    [['paid'], 'invalid_input', 'Must be an object.', 'web_goals__0'],
    [[{ name: 'Paid' }], 'invalid_input', 'Must be given.', 'web_goals__0__event'],
    [
      ['Paid', 'Paid'].map((name) => ({ name, event: 'paid' })),
      'invalid_input',
      'Another goal has this name.',
      'web_goals__1__name',
    ],
    [
      Array.from({ length: 21 }, (_, nth) => ({ name: String(nth), event: 'paid' })),
      'invalid_input',
      'Must have at most 20 items.',
    ],
  ],
}
