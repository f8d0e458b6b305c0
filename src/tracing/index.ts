export type { TraceAttributes, TraceValue, TracingOptions } from "../run/tracing-options.ts";
export { traceAll, traced, type Tracing } from "./trace-all.ts";
