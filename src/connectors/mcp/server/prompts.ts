import type { GetPromptResult, Prompt } from "@modelcontextprotocol/server";
import { ConfigurationError } from "../../../errors.ts";
import { messagesOf } from "./prompt-messages.ts";
import type { Sdk } from "./sdk.ts";
import type { McpCompletion, McpPrompt, McpRequest } from "./types.ts";

/** The prompts of a server. */
export class OfferedPrompts {
  readonly #sdk: Sdk;
  readonly #prompts: ReadonlyMap<string, McpPrompt>;

  /** @throws ConfigurationError if two have the same name. */
  constructor(sdk: Sdk, prompts: readonly McpPrompt[]) {
    this.#sdk = sdk;
    this.#prompts = new Map(prompts.map((prompt) => [prompt.name, prompt]));
    if (this.#prompts.size < prompts.length) {
      throw new ConfigurationError("Two prompts of serveMcp() have the same name.", { code: "name-clash" });
    }
  }

  get isEmpty(): boolean {
    return this.#prompts.size === 0;
  }

  get canComplete(): boolean {
    return [...this.#prompts.values()].some((prompt) => prompt.arguments?.some(({ complete }) => complete));
  }

  list(): Prompt[] {
    return [...this.#prompts.values()].map(({ name, title, description, arguments: args }) => ({
      name,
      ...(title !== undefined && { title }),
      ...(description !== undefined && { description }),
      ...(args && {
        arguments: args.map(({ name, description, required }) => ({
          name,
          ...(description !== undefined && { description }),
          ...(required !== undefined && { required }),
        })),
      }),
    }));
  }

  /** @throws ProtocolError for an unknown prompt, or one without an argument that it needs. */
  async get(
    name: string,
    args: Readonly<Record<string, string>>,
    request: McpRequest,
  ): Promise<GetPromptResult> {
    const prompt = this.#find(name);
    const missing = prompt.arguments?.filter(({ name, required }) => required && !Object.hasOwn(args, name));
    if (missing && missing.length > 0) {
      const names = missing.map(({ name }) => name).join(", ");
      throw this.#invalid(`The prompt "${name}" needs its arguments ${names}.`);
    }
    const content = await prompt.get(args, request);
    const { description } = prompt;
    return {
      ...(description !== undefined && { description }),
      messages: messagesOf(this.#sdk, content),
    };
  }

  /** @throws ProtocolError for an unknown prompt or argument. */
  completion(name: string, argument: string): McpCompletion | undefined {
    const argumentOption = this.#find(name).arguments?.find((each) => each.name === argument);
    if (!argumentOption) throw this.#invalid(`The prompt "${name}" has no argument "${argument}".`);
    return argumentOption.complete;
  }

  #find(name: string): McpPrompt {
    const prompt = this.#prompts.get(name);
    if (!prompt) throw this.#invalid(`There is no prompt "${name}".`);
    return prompt;
  }

  #invalid(message: string): Error {
    return new this.#sdk.ProtocolError(this.#sdk.ProtocolErrorCode.InvalidParams, message);
  }
}
