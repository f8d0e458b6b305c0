export {
  Agent,
  type AgentOptions,
  type AnyAgent,
  type Instructions,
  type InstructionsInput,
} from "./agent/agent.ts";
export type { AgentToolOptions, TypedAgentToolOptions } from "./agent/as-tool.ts";
export { triage } from "./agent/triage.ts";
export * from "./errors.ts";
export type * from "./message/messages.ts";
export type * from "./message/parts.ts";
export type { AnswerLater } from "./model/answer-later.ts";
export type {
  ApprovalDecision,
  Blocked,
  BlockReason,
  CallChanges,
  NestedStep,
  NestedWork,
  PendingApproval,
  PendingCall,
  RunState,
  RunStatus,
  SentMessage,
  ToolName,
  VisibleBlock,
} from "./message/run-state.ts";
export type * from "./message/step-key.ts";
export type * from "./model/hosted-call.ts";
export type { HostedTool } from "./model/hosted-tool.ts";
export type * from "./model/model-call.ts";
export type * from "./model/types.ts";
export type { RateLimit as ProviderRateLimit } from "./model/types.ts";
export { media } from "./model/media.ts";
export { executeToolCalls } from "./run/execute-tool-calls.ts";
export { generate, generateStream } from "./run/generate.ts";
export { invalidate } from "./run/invalidate.ts";
export { run, stream } from "./run/run.ts";
export type { RunStream } from "./run/events/run-stream.ts";
export type { Compaction } from "./run/compaction/options.ts";
export type * from "./run/steps/middleware.ts";
export type * from "./run/result-types.ts";
export type { ProcessMark } from "./run/session/process-mark.ts";
export type * from "./run/session/session.ts";
export type { StoredAgent, StoredWork } from "./run/session/stored-work.ts";
export type * from "./run/tracing-options.ts";
export type * from "./run/types.ts";
export { compilePublicSchema as compileSchema } from "./schema/compile-public-schema.ts";
export type {
  ArgumentDefault,
  ArgumentDefaults,
  FunctionSchema,
  ParameterPlan,
  RevivedType,
} from "./schema/function-schema.ts";
export type { StandardIssue, StandardResult, StandardSchema } from "./schema/standard-schema.ts";
export type { CompileOptions, Issue, JsonSchema, Schema, Validation } from "./schema/types.ts";
export { type AgentLike, isAgent } from "./tool/agent-like.ts";
export type { AgentRunOptions } from "./tool/agent-run-options.ts";
export { tool, type ToolDefinition } from "./tool/define.ts";
export { ToolRegistry } from "./tool/registry.ts";
export { type DeferredOptions, toolset, type ToolFilter, type WrappedToolset } from "./tool/toolset.ts";
export { type Output, output, type OutputType } from "./tool/output.ts";
export { result } from "./tool/result.ts";
export { schemaOf, type ToolSchema } from "./tool/schema-of.ts";
export type { ToolReport, ToolStats } from "./tool/statistics.ts";
export { toolkit, type ToolkitOptions } from "./tool/toolkit.ts";
export type { Offload } from "./tool/offload.ts";
export type {
  CachePolicy,
  ConcurrencyLimit,
  PolicyContext,
  RateLimit,
  ObjectArguments,
  RetryPolicy,
  ToolArguments,
  ToolPolicy,
} from "./tool/policy.ts";
export type { ToolContext } from "./tool/tool-context.ts";
export type { ObjectFunction, ToolFunction } from "./tool/tool-function.ts";
export type * from "./tool/step-middleware.ts";
export type * from "./tool/types.ts";
export type { JsonObject, JsonValue } from "./base/util/json.ts";
