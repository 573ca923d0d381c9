/** Texts that load with the drawer of subscriptions. */
export const SUBSCRIPTION_TEXTS = {
  title: 'Subscriptions',
  summaryTitle: 'Weekly summary',
  none: 'No subscriptions yet',
  noneText: 'A subscription sends this by email, with pictures, and to the webhook of the project.',
  noneSummary: 'Visitors, top sources and pages, flags and dropped events, by email every week.',
  make: 'New subscription',
  list: 'Subscriptions',
  back: 'All subscriptions',
  edit: 'Edit',
  remove: 'Delete',
  removeTitle: 'Delete this subscription?',
  removeText: 'Its messages are not sent any more.',
  removeAction: 'Delete subscription',
  removed: 'Subscription deleted',
  saved: 'Subscription saved',
  more: (name: string) => `More for ${name}`,
  enabled: (name: string) => `Enable ${name}`,
  next: 'Next',
  last: 'Last sent',
  name: 'Title',
  nameHint: 'Leave empty for the name of what is sent.',
  frequency: 'Send',
  weekday: 'On',
  monthday: 'On day',
  monthdayHint: 'In shorter months on the last day.',
  time: 'Time, in the time zone of the project',
  recipients: 'Email to',
  recipientsHint: 'One address per line, 20 at most.',
  chat: 'Send to the webhook of the project',
  save: 'Save subscription',
} as const

export const FREQUENCIES = [
  { value: 'daily', label: 'every day' },
  { value: 'weekly', label: 'every week' },
  { value: 'monthly', label: 'every month' },
] as const

export const WEEKDAYS = [
  { value: '1', label: 'Monday' },
  { value: '2', label: 'Tuesday' },
  { value: '3', label: 'Wednesday' },
  { value: '4', label: 'Thursday' },
  { value: '5', label: 'Friday' },
  { value: '6', label: 'Saturday' },
  { value: '7', label: 'Sunday' },
] as const
