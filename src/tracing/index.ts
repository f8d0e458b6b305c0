export type { TraceAttributes, TraceValue, TracingOptions } from "../run/tracing-options.ts";
export { traceAll, traced } from "./trace-all.ts";
