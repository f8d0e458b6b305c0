/** An agent that runs one program, whose tools note each of their calls. */
import { Agent, tool, type ToolContext } from "skein";
import { codeMode } from "skein/code";
import { FunctionModel } from "skein/testing";

/** What the tools note their calls in: each with its name and its idempotency key, in order. */
export interface Effects {
  add(line: string): void;
  list(): readonly string[];
}

const number = { type: "object", properties: { n: { type: "number" } }, required: ["n"] } as const;

/** @param begun - Called within each call, once it is noted. */
export function accountant(code: string, effects: Effects, begun: () => void = () => {}): Agent {
  const model = new FunctionModel(({ messages }) =>
    messages.at(-1)?.role === "user"
      ? { toolCalls: [{ toolCallId: "call", toolName: "execute_typescript", arguments: { code } }] }
      : "Done.",
  );
  const note = (name: string, { idempotencyKey }: ToolContext): void => {
    effects.add(`${name} ${idempotencyKey}`);
    begun();
  };
  const next = tool({
    name: "next",
    input: { type: "object", properties: {} },
    // The same key is the same number, as with a service that knows the key.
    execute: (_: unknown, context: ToolContext) => {
      note("next", context);
      const keys = effects.list().filter((effect) => effect.startsWith("next "));
      return [...new Set(keys)].indexOf(`next ${context.idempotencyKey}`) + 1;
    },
  });
  const double = tool({
    name: "double",
    input: number,
    execute: ({ n }: { n: number }, context: ToolContext) => {
      note("double", context);
      return 2 * n;
    },
  });
  const pay = tool({
    name: "pay",
    input: number,
    approval: true,
    execute: ({ n }: { n: number }, context: ToolContext) => {
      note("pay", context);
      return `paid ${n}`;
    },
  });
  return new Agent({ name: "Accountant", model, tools: [codeMode([next, double, pay], { check: false })] });
}
