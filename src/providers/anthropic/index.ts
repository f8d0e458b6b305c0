export { anthropic } from "./model.ts";
export type { AnthropicOptions } from "./options.ts";
