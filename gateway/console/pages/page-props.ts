/** Properties of every page. In a file of its own because the routes import the pages. */
export type PageProps = {
  /** Parameters of the address, decoded: `:short_id` is `params.short_id`. */
  readonly params: Readonly<Record<string, string>>
}
