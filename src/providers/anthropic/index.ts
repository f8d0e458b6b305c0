export type { HttpAgent } from "../../transport/wire/types.ts";
export type { UploadOptions } from "../kit/uploads/types.ts";
export { type Anthropic, anthropic } from "./model.ts";
export type { AnthropicOptions } from "./options.ts";
export type {
  AnthropicCaller,
  AnthropicCodeExecutionOptions,
  AnthropicTool,
  AnthropicTools,
  AnthropicUserLocation,
  AnthropicWebFetchOptions,
  AnthropicWebSearchOptions,
} from "./tools.ts";
