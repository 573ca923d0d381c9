/** Texts that load with the goal lines of a trend. */
export const GOAL_TEXTS = {
  label: 'Goal',
  value: 'Value',
  remove: 'Remove goal line',
} as const
