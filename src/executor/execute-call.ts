import type { ToolCall } from "../message/messages.ts";
import { invalidArgumentsMessage, unknownToolMessage } from "../schema/feedback.ts";
import { parseArguments } from "../schema/parse-arguments.ts";
import type { AgentLike } from "../tool/agent-like.ts";
import type { Tool, ToolContext } from "../tool/types.ts";
import { isPromiseLike } from "../util/promise-like.ts";
import { finalize, textOf, textResult, thrownResult, valueOf } from "./finalize.ts";
import { LazySignal, settle, type Settlement } from "./settle.ts";
import type { ExecutionScope, SettledCall } from "./types.ts";

/** Milliseconds a call may take unless its tool says otherwise. */
const defaultTimeout = 60_000;

/** How many tools may call each other within one call. */
const deepestCall = 16;

/** Executes one call: finds the tool, checks the arguments, calls it, shapes the result. Never rejects. */
export async function executeCall(call: ToolCall, scope: ExecutionScope, depth = 0): Promise<SettledCall> {
  scope.observer.start(call);
  const settled = await perform(call, scope, depth);
  scope.observer.end(settled.result, settled.error);
  return settled;
}

async function perform(call: ToolCall, scope: ExecutionScope, depth: number): Promise<SettledCall> {
  const tool = scope.registry.get(call.toolName);
  if (!tool?.execute) {
    return {
      result: textResult(call, unknownToolMessage(call.toolName, scope.registry.names), "unknown-tool"),
    };
  }
  const parsed = await readArguments(call, tool);
  if ("result" in parsed) return parsed;
  if (scope.signal?.aborted) return { result: textResult(call, cancelledText(call), "cancelled") };
  return callTool(tool, call, parsed.input, scope, depth);
}

/** The tool's input, or what the model is told instead. */
async function readArguments(call: ToolCall, tool: Tool): Promise<{ readonly input: unknown } | SettledCall> {
  try {
    const parsed = await parseArguments(call.arguments, tool.inputSchema);
    if (parsed.ok) return { input: parsed.value };
    const text = invalidArgumentsMessage(call.toolName, parsed.issues, call.arguments);
    return { result: textResult(call, text, "invalid-arguments") };
  } catch (error) {
    // A schema that cannot be used (a $ref to nothing) is the program's mistake; the other calls go on all the same.
    return { result: thrownResult(call, error), error };
  }
}

async function callTool(
  tool: Tool,
  call: ToolCall,
  input: unknown,
  scope: ExecutionScope,
  depth: number,
): Promise<SettledCall> {
  const timeout = tool.policy.timeout ?? defaultTimeout;
  const signal = new LazySignal();
  const context = new CallContext(call, scope, signal, depth);
  let returned: unknown;
  let work: PromiseLike<unknown> | undefined;
  try {
    returned = tool.execute?.(input, context);
    work = pendingWork(returned, context);
  } catch (error) {
    return { result: thrownResult(call, error), error };
  }
  if (!work) return finalize(call, returned);
  return shape(call, await settle(work, signal, timeout, scope.signal), timeout);
}

function shape(call: ToolCall, settlement: Settlement, timeout: number): SettledCall {
  switch (settlement.kind) {
    case "value":
      return finalize(call, settlement.value);
    case "error":
      return { result: thrownResult(call, settlement.error), error: settlement.error };
    case "timeout":
      return {
        result: textResult(
          call,
          `${call.toolName} did not finish within ${timeout} ms and was given up.`,
          "timeout",
        ),
      };
    case "cancelled":
      return { result: textResult(call, cancelledText(call), "cancelled") };
  }
}

function cancelledText(call: ToolCall): string {
  return `The run was cancelled before ${call.toolName} finished. It may or may not have taken effect.`;
}

/** What there is to wait for: a promise, or a generator whose yields are progress. */
function pendingWork(returned: unknown, context: CallContext): PromiseLike<unknown> | undefined {
  if (typeof returned !== "object" || returned === null) return undefined;
  if (isPromiseLike(returned)) return returned;
  return isGenerator(returned) ? drain(returned, context) : undefined;
}

async function drain(generator: Generator | AsyncGenerator, context: CallContext): Promise<unknown> {
  for (;;) {
    const step = await generator.next();
    if (step.done) return step.value;
    if (context.isOver) {
      await generator.return(undefined);
      return undefined;
    }
    context.progress(step.value);
  }
}

function isGenerator(value: object): value is Generator | AsyncGenerator {
  return (
    (Symbol.asyncIterator in value || Symbol.iterator in value) &&
    "next" in value &&
    typeof value.next === "function" &&
    "return" in value &&
    typeof value.return === "function"
  );
}

/** The `ToolContext` of one call. A class, so that a call which asks for nothing costs one small object. */
class CallContext implements ToolContext<unknown> {
  readonly #call: ToolCall;
  readonly #scope: ExecutionScope;
  readonly #signal: LazySignal;
  readonly #depth: number;

  constructor(call: ToolCall, scope: ExecutionScope, signal: LazySignal, depth: number) {
    this.#call = call;
    this.#scope = scope;
    this.#signal = signal;
    this.#depth = depth;
  }

  get context(): unknown {
    return this.#scope.context;
  }

  get signal(): AbortSignal {
    return this.#signal.signal;
  }

  get isOver(): boolean {
    return this.#signal.aborted;
  }

  get agent(): AgentLike | undefined {
    return this.#scope.agent;
  }

  get toolCallId(): string {
    return this.#call.toolCallId;
  }

  get idempotencyKey(): string {
    return `${this.#scope.runId}:${this.#call.toolCallId}`;
  }

  get messages(): ExecutionScope["messages"] {
    return this.#scope.messages;
  }

  // Functions, not methods: tools take them out of the context by destructuring.
  get progress(): (value: unknown) => void {
    return (value) => {
      if (!this.isOver) this.#scope.observer.progress(this.#call, value);
    };
  }

  get call(): (toolName: string, args: unknown) => Promise<unknown> {
    return (toolName, args) => this.#callTool(toolName, args);
  }

  get runAgent(): (agent: AgentLike, input: string) => Promise<string> {
    return (agent, input) => this.#scope.runAgent(agent, input, this.#call, this.signal);
  }

  async #callTool(toolName: string, args: unknown): Promise<unknown> {
    if (this.#depth >= deepestCall) {
      throw new Error(`${toolName} was not called: tools have called each other ${deepestCall} deep.`);
    }
    const inner: ToolCall = {
      toolCallId: `${this.#call.toolCallId}/${toolName}`,
      toolName,
      arguments: JSON.stringify(args ?? {}),
    };
    const scope: ExecutionScope = { ...this.#scope, signal: this.signal };
    const { result } = await executeCall(inner, scope, this.#depth + 1);
    if (result.isError) throw new Error(textOf(result));
    return valueOf(result);
  }
}
