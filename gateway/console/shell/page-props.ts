/** What every page is given. Apart from the routes, which import the pages. */
export type PageProps = {
  /** Parameters of the address, decoded: `:short_id` is `params.short_id`. */
  readonly params: Readonly<Record<string, string>>
}
