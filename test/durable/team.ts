/**
 * The team that the tests of durable runs let work: eight calls side by side, an agent with three calls, an approval, a call within a
 * call, a compaction. What its tools do outside is a line of a file, as a service would keep it.
 */
import { Agent, type AnyAgent, type JsonObject, tool, type ToolContext } from "skein";
import { FunctionModel } from "skein/testing";

const empty = { type: "object", properties: {} } as const;
const numbered = { type: "object", properties: { n: { type: "integer" } }, required: ["n"] } as const;

/** Notes an effect: what was done, and under which key. */
export type Effect = (name: string, key: string) => unknown;

/**
 * @param pause - What each tool takes, in milliseconds.
 * @param onAbort - Called for each call whose signal is aborted meanwhile.
 */
export function team(effect: Effect, pause = 0, onAbort: Effect = () => {}): AnyAgent {
  const rest = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, pause));
  const does = (name: string, options: { readonly approval?: boolean } = {}) =>
    tool({
      name,
      description: name,
      input: numbered,
      ...options,
      execute: async ({ n }: { n: number }, { idempotencyKey, signal }: ToolContext) => {
        signal.addEventListener("abort", () => onAbort(`${name}-${n}`, idempotencyKey));
        await effect(`${name}-${n}`, idempotencyKey);
        await rest();
        return `${name} ${n} is done.`;
      },
    });
  const clerk = new Agent({
    name: "Clerk",
    tools: [does("look")],
    model: turns([call("look", 1), call("look", 2)], [call("look", 3)], "The clerk is done."),
  });
  const within = tool({
    name: "within",
    input: empty,
    execute: async (_: unknown, context: ToolContext) => {
      const first = await context.call("pack", { n: 100 });
      return `within: ${String(first)}`;
    },
  });
  const eight = Array.from({ length: 8 }, (_, n) => call("pack", n));
  return new Agent({
    name: "Boss",
    tools: [does("pack"), does("pay", { approval: true }), within, clerk.asTool({ name: "clerk" })],
    model: turns(
      eight,
      [{ toolName: "clerk", arguments: { input: "Look." } }],
      [call("pay", 7)],
      [{ toolName: "within", arguments: {} }, call("pack", 9)],
      [call("pack", 10)],
      "All is done.",
    ),
  });
}

interface Call {
  readonly toolName: string;
  readonly arguments: JsonObject;
}

/** What runs of the team are executed with. */
export const teamOptions = { compaction: { maxTokens: 600, keep: 200 } } as const;

function call(toolName: string, n: number): Call {
  return { toolName, arguments: { n } };
}

/** A model that goes by how many answers it has given: the same after a crash. Each begins with its number. */
function turns(...answers: readonly (string | readonly Call[])[]): FunctionModel {
  return new FunctionModel(({ messages }) => {
    const last = messages.findLast((message) => message.role === "assistant");
    const text = last?.content.flatMap((part) => (part.type === "text" ? [part.text] : [])).join("") ?? "";
    const turn = last ? Number(/^\d+/.exec(text)?.[0]) : 0;
    const answer = answers[turn] ?? "There is nothing more to do.";
    if (typeof answer === "string") return answer;
    const toolCalls = answer.map((each, index) => ({ ...each, toolCallId: `call-${turn + 1}-${index}` }));
    return { text: `${turn + 1} comes now.`, toolCalls };
  });
}

/** An agent with one effect, for runs of which there are many. */
export function sprinter(effect: Effect): AnyAgent {
  const step = tool({
    name: "step",
    input: empty,
    execute: async (_: unknown, { idempotencyKey }: ToolContext) => {
      await effect("step", idempotencyKey);
    },
  });
  const model = new FunctionModel(({ messages }) =>
    messages.length === 1 ? { toolCalls: [{ toolCallId: "call-1", toolName: "step" }] } : "Done.",
  );
  return new Agent({ name: "Sprinter", model, tools: [step] });
}
