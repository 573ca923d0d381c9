/** Styles are bundled by the build; modules import them for that alone. */
declare module '*.css' {}

/** Address of the map of the world, beside the module; the build draws it. */
declare module 'world-map.svg' {
  const address: string
  export = address
}
