export { studio } from "./studio.ts";
export type { Studio, StudioOptions } from "./types.ts";
