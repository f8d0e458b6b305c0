/** What a session says of a run that works, or whose process died. */
import { Agent, run, tool } from "skein";
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
