/** Text of clients on a terminal. */

/** Of clients: what would move the cursor or change the terminal is shown as a dot. */
export function printable(text: string): string {
  return text.replace(/[\0-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]/g, '·')
}
