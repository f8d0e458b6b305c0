export * from "./people.ts";
export type { Pair as Couple } from "./containers.ts";
export type * as containers from "./containers.ts";
// oxlint-disable-next-line import/no-default-export -- what a row is about
export { type Theme as default } from "./themes.ts";
export { greet as welcome } from "./functions.ts";
