/** Texts that load with the JSON editor. */
export const JSON_TEXTS = {
  jsonLabel: 'The question as JSON',
  jsonHint: 'What goes into query. What is changed here holds for the builder too.',
  jsonWrong: 'Not a valid JSON object.',
  apply: 'Apply',
  copyJson: 'Copy',
} as const
