export type { AlarmInfo, DurableObjectContext, DurableObjectStorage } from "./durable-object.ts";
export { durableObjectRuns } from "./object-runs.ts";
export type { DurableObjectRuns, DurableObjectRunsOptions } from "./object-runs.ts";
