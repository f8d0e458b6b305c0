import { safeMessage } from "../base/util/error-message.ts";
import { isPlainObject } from "../base/util/json.ts";
import { mapLimit } from "../base/util/map-limit.ts";
import { SkeinError } from "../errors.ts";
import { callSibling, siblingsOf, type FindTool } from "../executor/inner-tools.ts";
import { isAgent, type AgentLike } from "../tool/agent-like.ts";
import type { ToolContext } from "../tool/tool-context.ts";
import type { Tool } from "../tool/types.ts";
import { ProgramError } from "./errors.ts";
import type { CodeLimits } from "./types.ts";

/** A call as the program has written it. */
interface ProgramCall {
  readonly name: string;
  /** The arguments as JSON. */
  readonly text: string;
}

/** What the program gets of a call. */
type CallResult =
  | { readonly ok: true; readonly value?: unknown }
  | { readonly ok: false; readonly error: string };

/** What a program may call beside the agent's tools. */
export type OwnCalls = ReadonlyMap<string, (input: unknown) => unknown>;

/** Makes the calls of one program as those of its tool: with all checks and policies of the tools that are called. */
export class Bridge {
  readonly #tools: ReadonlyMap<string, Tool>;
  readonly #limits: Required<CodeLimits>;
  readonly #ownCalls: OwnCalls;
  readonly #find: FindTool;
  readonly #context: ToolContext;
  #count = 0;
  /** What the run waits for, if a call waits. */
  #pause: unknown;
  /** The agent that a tool has handed off to. */
  agent: AgentLike | undefined;
  /** The first value that each tool has returned, by the name that the program has for it. */
  readonly values: Map<string, unknown> = new Map();

  /** @param tools - By the names that the program has for them. */
  constructor(
    context: ToolContext,
    tools: ReadonlyMap<string, Tool>,
    limits: Required<CodeLimits>,
    ownCalls: OwnCalls,
  ) {
    this.#tools = tools;
    this.#limits = limits;
    this.#ownCalls = ownCalls;
    this.#find = siblingsOf(context);
    this.#context = context;
  }

  /**
   * Makes calls side by side.
   * @param batch - A list of calls as JSON: whatever the program has passed.
   * @returns their results in order, as JSON.
   * @throws what the run throws where a call waits for a decision or a result.
   */
  async call(batch: string): Promise<string> {
    const calls = readCalls(batch);
    const results = await mapLimit(calls, this.#limits.parallel, (each) => this.#make(each));
    if (this.#pause !== undefined) throw this.#pause;
    return JSON.stringify(results);
  }

  async #make({ name, text }: ProgramCall): Promise<CallResult> {
    // What comes after a pause comes once the run goes on.
    if (this.#pause !== undefined) return failed("The run waits.");
    try {
      this.#countCall(name);
      const ownCall = this.#ownCalls.get(name);
      if (ownCall) return { ok: true, value: await ownCall(JSON.parse(text)) };
      return { ok: true, value: await this.#callTool(name, text) };
    } catch (error) {
      if (error instanceof SkeinError && error.code === "call-waiting") this.#pause ??= error;
      return failed(safeMessage(error));
    }
  }

  #countCall(name: string): void {
    const { calls } = this.#limits;
    if (this.#count >= calls)
      throw new ProgramError(`${name} was not called: a program may make ${calls} calls, and this one has.`);
    this.#count += 1;
  }

  async #callTool(name: string, text: string): Promise<unknown> {
    const listed = this.#tools.get(name);
    const sibling = listed && this.#find(listed);
    if (!sibling) throw new ProgramError(`Unknown tool "${name}".`);
    const value = await callSibling(this.#context, sibling, JSON.parse(text));
    if (isAgent(value)) {
      this.agent = value;
      return `Transferred to ${value.name}, which answers once the program has ended.`;
    }
    if (!this.values.has(name)) this.values.set(name, value);
    return value;
  }
}

function failed(error: string): CallResult {
  return { ok: false, error };
}

function readCalls(batch: string): readonly ProgramCall[] {
  const calls: unknown = parse(batch);
  if (!Array.isArray(calls) || !calls.every(isCall))
    throw new ProgramError("host.call takes a list of calls.");
  return calls;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function isCall(value: unknown): value is ProgramCall {
  return isPlainObject(value) && typeof value["name"] === "string" && typeof value["text"] === "string";
}
