/** Text of clients on a terminal. */

/** Shows characters that would move the cursor or change the terminal as dots. */
export function printable(text: string): string {
  return text.replace(/[\0-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]/g, '·')
}
