/** What a session says of a run that works, or whose process died. */
import { Agent, run, type SessionEntry, tool } from "skein";
import { memorySession, readSession } from "skein/sessions";
import { FunctionModel } from "skein/testing";
import { expect, test } from "vitest";

test("a session does not list what a tool had when its process died as what it waits for", async () => {
  const input = { type: "object", properties: {} } as const;
  const kit = (work: () => Promise<unknown> | string) => {
    const wait = tool({
      name: "wait",
      input,
      execute: async (_: object, { waitFor }) => {
        await waitFor("word");
        return work();
      },
    });
    const model = new FunctionModel(({ messages }) =>
      messages.length > 1 ? "Done." : { toolCalls: [{ toolName: "wait", arguments: {} }] },
    );
    return new Agent({ name: "Desk", model, tools: [wait] });
  };
  const session = memorySession();
  const { pending } = await run(
    kit(() => ""),
    "Go",
    { session },
  );
  const results = pending.map(({ toolCallId }) => ({ toolCallId, content: "now" }));
  const inside = Promise.withResolvers<void>();
  const release = Promise.withResolvers<string>();
  const first = run(
    kit(() => (inside.resolve(), release.promise)),
    [],
    { session, results },
  );
  await inside.promise;
  const { state } = await readSession(session);
  release.resolve("done");
  expect([state?.status, state?.pending]).toEqual(["running", []]);
  expect((await first).text).toBe("Done.");
});

test.each(["repeat", "tell"] as const)(
  'with executeTools: false, a call with "%s" whose result is stored is not left to the program',
  async (interrupted) => {
    const input = { type: "object", properties: {} } as const;
    const effects: string[] = [];
    const slow = Promise.withResolvers<string>();
    const inSlow = Promise.withResolvers<void>();
    const tools = [
      tool({ name: "pay", input, interrupted, execute: () => `paid ${effects.push("pay")}` }),
      tool({
        name: "slow",
        input,
        execute: () => {
          inSlow.resolve();
          return slow.promise;
        },
      }),
    ];
    const calls = ["pay", "slow"].map((toolName) => ({ toolCallId: toolName, toolName, arguments: {} }));
    const model = new FunctionModel(({ messages }) => (messages.length > 1 ? "Done." : { toolCalls: calls }));
    const agent = new Agent({ name: "Desk", model, tools });
    const first = memorySession();
    const dying = run(agent, "Go", { session: first });
    await inSlow.promise;
    const isStored = async (): Promise<boolean> => {
      const { state } = await readSession(first);
      return state?.pending.length === 1;
    };
    while (!(await isStored())) await new Promise((resolve) => setTimeout(resolve, 1));
    const { entries } = await first.load();
    const session = memorySession();
    const left = entries.filter(({ type }) => type !== "claim");
    await session.append(left.map((entry, index): SessionEntry => ({ ...entry, sequence: index + 1 })));
    const resumed = await run(agent, [], { session, executeTools: false });
    expect(resumed.pending.map(({ toolName }) => toolName)).toEqual(["slow"]);
    const results = [{ toolCallId: "slow", content: "slow" }];
    expect(await run(agent, [], { session, executeTools: false, results })).toMatchObject({ text: "Done." });
    expect(effects).toEqual(["pay"]);
    slow.resolve("done");
    await dying;
  },
);
