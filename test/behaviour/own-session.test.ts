/** A run that a tool starts in the session of the tool's own run would wait for itself. */
import { expect, test } from "vitest";
import { Agent, run, tool } from "skein";
import { memorySession, SessionBusyError } from "skein/sessions";
import { ScriptedModel } from "skein/testing";

const input = { type: "object", properties: {} } as const;
const calling = (toolName: string) => ({ toolCalls: [{ toolName, arguments: {} }] });

test("it is an error, however deep the run is, and the outer run goes on", async () => {
  const session = memorySession({ busy: "wait" });
  const other = memorySession({ busy: "wait" });
  const errors: unknown[] = [];
  const inner = new Agent({ name: "Inner", model: new ScriptedModel(["Never."]) });
  const again = tool({
    name: "again",
    input,
    execute: async () => {
      await run(inner, "Go on.", { session }).catch((error: unknown) => errors.push(error));
      return "tried";
    },
  });
  const middle = new Agent({
    name: "Middle",
    model: new ScriptedModel([calling("again"), "Done."]),
    tools: [again],
  });
  const through = tool({
    name: "through",
    input,
    execute: async () => (await run(middle, "Go.", { session: other })).text,
  });
  const model = new ScriptedModel([calling("again"), calling("through"), "Done."]);
  const agent = new Agent({ name: "Outer", model, tools: [again, through] });
  expect(await run(agent, "Go.", { session })).toMatchObject({ status: "completed", text: "Done." });
  expect(errors).toHaveLength(2);
  for (const error of errors) {
    expect(error).toBeInstanceOf(SessionBusyError);
    expect(error).toHaveProperty("message", expect.stringContaining("it would wait for itself"));
  }
});

test("a run that a tool leaves behind has the session once the tool's run has ended", async () => {
  const session = memorySession({ busy: "wait" });
  const { promise: ended, resolve: end } = Promise.withResolvers<void>();
  let later: Promise<{ readonly text: string }> | undefined;
  const inner = new Agent({ name: "Inner", model: new ScriptedModel(["Later."]) });
  const leave = tool({
    name: "leave",
    input,
    execute: () => {
      later = ended.then(() => run(inner, "Go on.", { session }));
      return "left";
    },
  });
  const model = new ScriptedModel([calling("leave"), "Done."]);
  await run(new Agent({ name: "Outer", model, tools: [leave] }), "Go.", { session });
  end();
  expect(await later).toMatchObject({ text: "Later." });
});
