/** Texts that load with the JSON editor. */
export const JSON_TEXTS = {
  jsonLabel: 'Query as JSON',
  jsonHint: 'The value of “query” in the API. Changes here apply to the builder too.',
  jsonWrong: 'Not a valid JSON object.',
  apply: 'Apply',
  copyJson: 'Copy',
} as const
