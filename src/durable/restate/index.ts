export { restateRuns } from "./restate-runs.ts";
export type { RestateRuns, RestateRunsOptions, RestateService } from "./types.ts";
