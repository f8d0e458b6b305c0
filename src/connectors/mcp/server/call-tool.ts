import type { CallToolResult, InputRequiredResult, ServerContext } from "@modelcontextprotocol/server";
import { ApprovedCall } from "../../../executor/approved-call.ts";
import { executeCall } from "../../../executor/execute-call.ts";
import { resultText, textResult, wholeValueOf } from "../../../executor/finalize.ts";
import { isMasked } from "../../../executor/policies/mask.ts";
import type { CallOutcome, ExecutionScope, SettledCall } from "../../../executor/types.ts";
import type { Message, ToolCall, ToolResult } from "../../../message/messages.ts";
import { unfinished } from "../../../message/unanswered-calls.ts";
import { callFeatures } from "../../../run/features.ts";
import type { Tool } from "../../../tool/types.ts";
import { frozenCopy } from "../../../base/util/snapshot.ts";
import { requestCaller } from "../../../base/util/request-caller.ts";
import { approve } from "./approve.ts";
import { toBlock } from "./content.ts";
import type { Offer } from "./offer.ts";
import { promisedOutput } from "./offered-tools.ts";
import { ProgressReporter } from "./progress.ts";
import { rememberRequest } from "./mcp-request.ts";
import { ServedRequest, subjectOf, type RequestHost } from "./request.ts";
import { runServedAgent } from "./run-agent.ts";

/** What a client asks to be called. */
export interface CallParams {
  readonly name: string;
  readonly arguments?: Readonly<Record<string, unknown>> | undefined;
}

/**
 * Calls a tool as a run would, with all checks and policies. Every failure is a result with `isError`.
 * @throws ProtocolError for an unknown tool.
 */
export async function callTool(
  params: CallParams,
  ctx: ServerContext,
  host: RequestHost,
  offer: Offer,
): Promise<CallToolResult | InputRequiredResult> {
  const { name, arguments: args = {} } = params;
  const request = new ServedRequest(host, ctx, await subjectOf(host, ["tools/call", name, args]));
  const call: ToolCall = { toolCallId: request.id, toolName: name, arguments: JSON.stringify(args) };
  const end = await requestCaller(request.http)?.begin(request.signal);
  try {
    return await perform(call, await scopeOf(ctx, request, offer), { request, host, offer });
  } finally {
    end?.();
  }
}

/** Where a call comes from, and what it is of. */
interface CallPlace {
  readonly request: ServedRequest;
  readonly host: RequestHost;
  readonly offer: Offer;
}

async function perform(
  call: ToolCall,
  unguided: ExecutionScope,
  { request, host, offer }: CallPlace,
): Promise<CallToolResult | InputRequiredResult> {
  const { toolName: name } = call;
  const tool = unguided.toolTable.get(name);
  const scope = { ...unguided, messages: cameBefore(tool, host) };
  const forget = rememberRequest(request);
  try {
    return await request.answering(async () => {
      const settled = await decided(await executeCall(call, scope), call, scope, request, offer);
      const { result } = settled;
      if (!tool) throw unknownTool(host, result);
      if (result.isError && request.lack) throw request.lack;
      if (!result.isError) host.succeeded?.add(name);
      const { meta } = settled;
      return { ...toResult(settled, tool, host), ...(meta && { _meta: { ...meta } }) };
    });
  } finally {
    forget();
  }
}

async function scopeOf(ctx: ServerContext, request: ServedRequest, offer: Offer): Promise<ExecutionScope> {
  const { signal } = request;
  const context = frozenCopy(await offer.contextOf(request));
  const progress = new ProgressReporter(ctx);
  return {
    toolTable: await offer.tools.table(context, signal),
    context,
    agent: undefined,
    messages: [],
    runId: request.id,
    signal,
    concurrency: undefined,
    observer: {
      start: () => undefined,
      progress: (_call, value) => progress.report(value),
      end: () => undefined,
      warn: (message) => offer.report(new Error(message)),
    },
    memory: new Map(),
    execute: executeCall,
    features: callFeatures,
    runAgent: (agentRequest) => runServedAgent({ ...agentRequest, request, offer, progress, context }),
  };
}

/**
 * A history in which those of the tools that `tool` requires have succeeded that did on this connection. Where nobody remembers,
 * it is for the client to keep the order.
 */
function cameBefore(tool: Tool | undefined, { succeeded }: RequestHost): readonly Message[] {
  const required = tool?.policy.requires ?? [];
  return required
    .filter((name) => succeeded?.has(name) ?? true)
    .map((toolName) => ({
      role: "tool",
      result: { toolCallId: toolName, toolName, content: [], isError: false, outcome: "success" },
    }));
}

/** A call that needs approval is made once it has it. */
async function decided(
  outcome: CallOutcome,
  call: ToolCall,
  scope: ExecutionScope,
  request: ServedRequest,
  offer: Offer,
): Promise<Extract<CallOutcome, { result: unknown }>> {
  if ("result" in outcome) return outcome;
  // A call that waits for calls within it would need another request; nothing here starts such work.
  if ("suspended" in outcome) return { result: unfinished(call, "The request ended") };
  const { toolName } = outcome.waiting.toolCall;
  const question = approvalOf(scope.toolTable.originOf(toolName));
  const visibleInput = request.visibleInputIn(question, outcome.visibleInput);
  const refusal = await approve(question, toolName, JSON.stringify(visibleInput), request, offer);
  if (refusal !== undefined)
    return { result: textResult(call, `${toolName} was not called: ${refusal}`, "denied") };
  const approvedOutcome = await executeCall(call, {
    ...scope,
    approved: new ApprovedCall<CallOutcome>(call, { visibleInput }),
  });
  if ("result" in approvedOutcome) return approvedOutcome;
  return { result: textResult(call, `${toolName} was not called: it needs a person's approval.`, "denied") };
}

/** The name of a question for approval. When the request is repeated, the name of the tool may be that of another toolset's tool. */
function approvalOf(origin: readonly string[] = []): string {
  return origin.length === 0 ? "approval" : `approval of ${JSON.stringify(origin)}`;
}

function unknownTool({ sdk }: RequestHost, result: ToolResult): Error {
  return new sdk.ProtocolError(sdk.ProtocolErrorCode.InvalidParams, resultText(result));
}

function toResult(settled: SettledCall, tool: Tool, { sdk, server }: RequestHost): CallToolResult {
  const { result, cut } = settled;
  const content = result.content.map((part) => toBlock(sdk, part));
  if (result.isError) return { content, isError: true };
  const schema = promisedOutput(tool)?.jsonSchema;
  if (!schema && result.structuredContent === undefined) return { content };
  // Part of a value is not what the schema promises: clients get all of it, or none.
  const isWhole = (schema !== undefined || cut !== undefined) && !isMasked(tool);
  const structuredContent = isWhole ? wholeValueOf(settled) : result.structuredContent;
  if (structuredContent === undefined) return { content: [...content, { type: "text", text: tooLong }] };
  return server.projectCallToolResult({ content, structuredContent }, schema && { ...schema });
}

const tooLong = "Note: the result is too long to be structured content.";
