export type { HttpAgent } from "../../transport/wire/types.ts";
export { anthropic } from "./model.ts";
export type { AnthropicOptions } from "./options.ts";
