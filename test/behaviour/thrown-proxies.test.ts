import { Agent, run, tool, type Middleware, type RunOptions, type Tool } from "skein";
import { memorySession } from "skein/sessions";
import { FunctionModel } from "skein/testing";
import { expect, test } from "vitest";

const input = { type: "object", properties: {} } as const;

/** Throws what nobody can ask what it is, such as a draft that is over. */
function throwRevoked(): never {
  const { proxy, revoke } = Proxy.revocable({}, {});
  revoke();
  throw proxy;
}

/** Where it is thrown from. */
const places: Readonly<Record<string, { readonly bad: Tool; readonly middleware?: Middleware }>> = {
  "a tool": {
    bad: tool({ name: "bad", input, execute: () => throwRevoked() }),
  },
  "an asynchronous tool": {
    bad: tool({ name: "bad", input, execute: async () => throwRevoked() }),
  },
  "a step": {
    bad: tool({
      name: "bad",
      input,
      execute: (_, context) => context.step("step", async () => throwRevoked()),
    }),
  },
  "a stream": {
    bad: tool({
      name: "bad",
      input,
      execute: async function* () {
        yield "one";
        throwRevoked();
      },
    }),
  },
  "a tool with retries": {
    bad: tool({
      name: "bad",
      input,
      retries: 1,
      execute: () => throwRevoked(),
    }),
  },
  "a middleware around the call": {
    bad: tool({ name: "bad", input, execute: () => "fine" }),
    middleware: { tool: (call, _, next) => (call.toolName === "bad" ? throwRevoked() : next(call)) },
  },
  "a rule that allows": {
    bad: tool({ name: "bad", input, allow: () => throwRevoked(), execute: () => "fine" }),
  },
};

test.each(
  Object.entries(places).flatMap(([place, parts]) =>
    [false, true].map((hasSession) => ({ place, ...parts, hasSession })),
  ),
)(
  "$place may throw a revoked proxy: its call has an outcome, the one beside it is made once (with a session: $hasSession)",
  async ({ bad, middleware, hasSession }) => {
    const keys: string[] = [];
    const charge = tool({
      name: "charge",
      input,
      execute: async (_, { idempotencyKey }) => {
        await new Promise((resolve) => setTimeout(resolve, 20));
        keys.push(idempotencyKey);
        return "charged";
      },
    });
    const model = new FunctionModel(({ messages }) =>
      messages.length === 1 ? { toolCalls: [{ toolName: "bad" }, { toolName: "charge" }] } : "Done.",
    );
    const options: RunOptions = {
      ...(hasSession && { session: memorySession() }),
      ...(middleware && { middleware: [middleware] }),
    };
    const result = await run(new Agent({ name: "A", model, tools: [bad, charge] }), "Go", options);
    expect(result).toMatchObject({ status: "completed", text: "Done." });
    const results = result.messages.flatMap((message) => (message.role === "tool" ? [message.result] : []));
    expect(results.map(({ toolName, isError }) => [toolName, isError])).toEqual([
      ["bad", true],
      ["charge", false],
    ]);
    expect(keys).toHaveLength(1);
  },
);

test("a model may throw a revoked proxy: the run fails with a typed error", async () => {
  const agent = new Agent({ name: "A", model: new FunctionModel(() => throwRevoked()) });
  await expect(run(agent, "Go")).rejects.toMatchObject({
    code: expect.any(String),
    state: expect.anything(),
  });
});
