import type { ToolCall } from "../../message/messages.ts";
import type { Part } from "../../message/parts.ts";
import type { InputMessage } from "../../run/types.ts";
import type { InputObject } from "./input-object.ts";
import { limits } from "./openai-limits.ts";

/** A call of a history that has no result yet. */
export interface OpenCall extends Pick<ToolCall, "toolCallId" | "toolName"> {
  /** Where the client has it. */
  readonly path: string;
  /** Whether its tool is one of the request's. */
  readonly isOwn: boolean;
}

/**
 * The calls of a history that have no result yet. Calls of tools that are not the request's own are left out, with their results: a client must
 * not say what the server's tools have done, since other tools may require that.
 */
export class OpenCalls {
  readonly #tools: ReadonlySet<string>;
  readonly #open = new Map<string, OpenCall>();

  /** @param tools - The names of the request's own tools. */
  constructor(tools: ReadonlySet<string>) {
    this.#tools = tools;
  }

  /**
   * Adds a call.
   * @returns whether its tool is one of the request's own.
   * @throws InvalidInputError if another call has its id.
   */
  add({ toolCallId, toolName }: ToolCall, item: InputObject, idName: string): boolean {
    if (this.#open.has(toolCallId)) throw item.wrong(idName, "is the id of another call, too");
    const isOwn = this.#tools.has(toolName);
    this.#open.set(toolCallId, { toolCallId, toolName, path: item.path, isOwn });
    return isOwn;
  }

  /** The call that a result belongs to. It has no second one. */
  take(toolCallId: string): OpenCall | undefined {
    const call = this.#open.get(toolCallId);
    this.#open.delete(toolCallId);
    return call;
  }

  /** Forgets the calls; the first of the request's own tools that has no result. */
  close(): OpenCall | undefined {
    const call = [...this.#open.values()].find(({ isOwn }) => isOwn);
    this.#open.clear();
    return call;
  }
}

/** A call: its id, and beside it or within it what it calls. */
export function readCall(item: InputObject, idName: string, called: InputObject): ToolCall {
  return {
    toolCallId: item.id(idName, limits.id),
    toolName: called.text("name", limits.id),
    arguments: called.text("arguments", limits.text),
  };
}

/** The result of a call, as a message. */
export function resultMessage(
  { toolCallId, toolName }: OpenCall,
  output: string | readonly Part[],
): InputMessage {
  const content: readonly Part[] = typeof output === "string" ? [{ type: "text", text: output }] : output;
  return { role: "tool", result: { toolCallId, toolName, content, isError: false, outcome: "success" } };
}
