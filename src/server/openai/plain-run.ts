import type { AnyAgent } from "../../agent/agent.ts";
import { asAgent } from "../../agent/handoff.ts";
import type { ModelSettings, ToolChoice } from "../../model/types.ts";
import { type CallerTool, readCallerOutput } from "../../run/caller-tools.ts";
import type { RunStream } from "../../run/events/run-stream.ts";
import type { OpenAITool } from "../../protocols/kit/openai-settings.ts";
import { streamWithTools } from "../../run/stream-with-tools.ts";
import type { InputMessage } from "../../run/types.ts";
import type { JsonSchema } from "../../schema/types.ts";
import type { Call } from "../call.ts";
import { digestOf } from "../received.ts";
import { closingRefusal } from "../refusal.ts";

/** What a client asks an agent for, once: nothing of it is kept. */
export interface PlainRequest {
  readonly messages: readonly InputMessage[];
  readonly tools: readonly OpenAITool[];
  readonly settings: ModelSettings;
  readonly toolChoice?: ToolChoice;
  readonly parallelToolCalls?: boolean;
  readonly responseFormat?: JsonSchema;
}

/**
 * A run that ends with its client, unless the client has named it by an `idempotency-key`: then it may come back, and finds the same run.
 * @param contents - What must be the same where the key comes again.
 * @returns the run, and what to call when the client leaves.
 */
export async function startPlainRun(
  call: Call,
  agent: AnyAgent,
  request: PlainRequest,
  contents: unknown,
): Promise<{ readonly running: RunStream; readonly onCancel: () => void }> {
  const key = call.request.headers.get("idempotency-key");
  const { user } = call.authorized;
  const size = key === null ? 0 : JSON.stringify(request).length;
  const named = key === null ? undefined : { key, contents: await digestOf(contents) };
  const running = await call.server.plainRuns.open(user, named, size, () => start(call, agent, request, key));
  return {
    running,
    onCancel: () => {
      if (key === null) running.cancel("The client has left.");
    },
  };
}

/**
 * What is made of a run, once it is.
 * @throws Refusal (503) for a run that has ended because the server closes: another one may answer.
 */
export async function unlessLeft(
  { server }: Call,
  running: RunStream,
  answer: Response | Promise<Response>,
): Promise<Response> {
  const response = await answer;
  if (server.plainRuns.isLeft(running)) throw closingRefusal(false);
  return response;
}

async function start(
  call: Call,
  agent: AnyAgent,
  request: PlainRequest,
  key: string | null,
): Promise<RunStream> {
  const { user, context } = call.authorized;
  const { limit } = call.server.all;
  const { messages, tools, responseFormat } = request;
  const release = await limit.hold(user);
  try {
    const running = streamWithTools(
      asAgent(withSettings(agent, request)),
      messages,
      {
        ...call.server.options.runOptions,
        ...(context !== undefined && { context }),
        ...(responseFormat && { output: readCallerOutput(responseFormat, "The schema of the answer") }),
      },
      callerTools(tools),
    );
    call.server.plainRuns.add(running);
    const leave = (): void => running.cancel("The client has left.");
    if (key === null) call.request.signal.addEventListener("abort", leave, { once: true });
    const end = (): void => {
      release();
      call.request.signal.removeEventListener("abort", leave);
    };
    running.result.then(end, (error: unknown) => {
      end();
      call.server.report(error, { request: call.request.toRequest() });
    });
    return running;
  } catch (error) {
    release();
    throw error;
  }
}

/** Tools without what is for OpenAI's models alone. */
export function callerTools(tools: readonly OpenAITool[]): readonly CallerTool[] {
  return tools.map(({ strict: _strict, ...tool }) => tool);
}

/** What the agent sets itself counts more than what a client wants. */
function withSettings(agent: AnyAgent, { settings, toolChoice, parallelToolCalls }: PlainRequest): AnyAgent {
  return agent.with({
    settings: { ...settings, ...agent.settings },
    ...(agent.toolChoice === undefined && toolChoice !== undefined && { toolChoice }),
    ...(agent.parallelToolCalls === undefined && parallelToolCalls !== undefined && { parallelToolCalls }),
  });
}
