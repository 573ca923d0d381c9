/** Action on an insight that opens a dialog first. */
export type Asked = 'save' | 'rename' | 'delete' | 'dashboard' | 'alerts' | 'share' | 'subscribe'
