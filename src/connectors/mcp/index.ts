export { mcp, type Mcp } from "./client/mcp.ts";
export { McpServers, type McpConfigOptions } from "./client/config.ts";
export { McpToolset } from "./client/toolset.ts";
export type {
  McpAnnotations,
  McpContents,
  McpListedPrompt,
  McpListedResource,
  McpListedTemplate,
  McpPromptResult,
  McpResourceResult,
} from "./client/listed.ts";
export type { McpApp, McpAppPermission } from "./client/app.ts";
export { McpError, type McpErrorCode } from "./client/errors.ts";
export type {
  McpClientOptions,
  McpCommandOptions,
  McpCommonOptions,
  McpTransportOptions,
  McpUrlOptions,
  RootsOptions as McpRootsOptions,
} from "./client/types.ts";
export type { ServerScope } from "./client/scope.ts";
export { setMcpHost, type McpHost } from "./client/host.ts";
export type {
  ElicitationHandler as McpElicitationHandler,
  ElicitationRequest as McpElicitationRequest,
  SamplingApproval as McpSamplingApproval,
  SamplingOptions as McpSamplingOptions,
  SamplingRequest as McpSamplingRequest,
} from "./client/questions.ts";
export { fileTokens, memoryTokens } from "./auth/token-stores.ts";
export type {
  AuthorizationCodeAuth,
  ClientCredentialsAuth,
  McpAuth,
  McpAuthProvider,
  McpOAuthProvider,
  McpRegistration,
  McpTokens,
  TokenAuth,
  TokenStore,
} from "./auth/types.ts";
export type { Trust, TrustOptions } from "./trust/types.ts";
export { preset, presets, type Preset, type Presets } from "./presets/presets.ts";
export type { PresetOptions } from "./presets/settings.ts";
export { presetTable, type McpPreset, type PresetName, type PresetVariable } from "./presets/table.ts";
export type {
  McpAppSettings,
  McpCompletion,
  McpElicitation,
  McpElicitationAnswer,
  McpHandler,
  McpHandlerOptions,
  McpServeHttpOptions,
  McpLogLevel,
  McpNotifier,
  McpPrompt,
  McpPromptArgument,
  McpPromptContent,
  McpPromptMessage,
  McpRequest,
  McpResource,
  McpResourceContent,
  McpResourceEntry,
  McpRoot,
  McpSampling,
  McpSamplingAnswer,
  McpServeOptions,
  McpServerDefinition,
  McpServing,
} from "./server/types.ts";
export type { McpTransport } from "./transport.ts";
export { mcpContent } from "./server/mcp-content.ts";
export { mcpRequest } from "./server/mcp-request.ts";
export { mcpHandler, serveMcp } from "./server/serve-mcp.ts";
