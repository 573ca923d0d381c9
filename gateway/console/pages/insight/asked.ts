/** What somebody wants to do with an insight, which asks first. */
export type Asked = 'save' | 'rename' | 'delete' | 'dashboard'
