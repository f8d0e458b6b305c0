export { type Chaos, chaosFetch, type ChaosOptions } from "./chaos-fetch.ts";
export { type AgentCheckOptions, checkAgent } from "./check-agent.ts";
export { checkModel, type ModelCheckOptions } from "./check-model.ts";
export { checkStore } from "./check-store.ts";
export { checkTool, type ToolCheckOptions } from "./check-tool.ts";
export {
  assertConformance,
  type ConformanceFailure,
  type ConformanceOptions,
  type ConformanceReport,
} from "./report.ts";
