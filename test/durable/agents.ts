/** Small agents for the tests of durable runs. */
import { Agent, tool, type Message, type ToolContext } from "skein";
import type { RunHandle } from "skein/durable";
import { FunctionModel } from "skein/testing";

/** The arguments of a refund. */
export const order = {
  type: "object",
  properties: { order: { type: "integer" } },
  required: ["order"],
} as const;

/** An agent that calls a tool at a user's message, and then answers. */
export function clerk(
  refund: (order: number, key: string) => unknown,
  options: { readonly approval?: boolean } = {},
): Agent {
  const refunds = tool({
    name: "refund",
    input: order,
    ...options,
    execute: ({ order: number }: { order: number }, { idempotencyKey }) => refund(number, idempotencyKey),
  });
  const model = new FunctionModel(({ messages }) =>
    messages.at(-1)?.role === "user"
      ? { text: "Let me see.", toolCalls: [{ toolName: "refund", arguments: { order: 7 } }] }
      : "It is done.",
  );
  return new Agent({ name: "Clerk", model, tools: [refunds] });
}

/** The text of a user's message. */
export function textOf(message: Message): string {
  return "content" in message && typeof message.content === "string" ? message.content : "";
}

/** An agent that repeats what the user said. */
export const echo: Agent = new Agent({
  name: "Echo",
  model: new FunctionModel(({ messages }) => {
    const last = messages.at(-1);
    return last?.role === "user" ? `You said: ${textOf(last)}` : "Nothing.";
  }),
});

/** Decides on all calls of a run that wait. */
export async function approve(run: RunHandle, decision: "approve" | "deny" = "approve"): Promise<void> {
  const { pending } = await run.state();
  await run.decide(pending.map(({ approvalId = "" }) => ({ approvalId, decision })));
}

/** An agent that calls its tool once, and then says what came of it. */
export function worker(execute: (context: ToolContext) => unknown, name = "Worker"): Agent {
  const input = { type: "object", properties: {} } as const;
  return new Agent({
    name,
    model: new FunctionModel(({ messages }) => {
      const last = messages.at(-1);
      if (last?.role !== "tool") return { toolCalls: [{ toolName: "work", arguments: {} }] };
      return last.result.content.flatMap((part) => (part.type === "text" ? part.text : [])).join("");
    }),
    tools: [tool({ name: "work", input, execute: (_, context) => execute(context) })],
  });
}
