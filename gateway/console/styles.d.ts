/** Styles are bundled by the build; modules import them for that alone. */
declare module '*.css' {}
