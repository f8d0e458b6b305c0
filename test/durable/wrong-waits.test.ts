/** Waits that a program or a model gets wrong. */
import { Agent, run, tool, type ToolContext } from "skein";
import { FunctionModel } from "skein/testing";
import { expect, test } from "vitest";
import { worker } from "./agents.ts";
import { newFile, testRuns, until } from "./test-runs.ts";

test.each([
  ["not a number", Number.NaN, "must be a number of milliseconds, or a Date"],
  ["a time as a number", 1_800_000_000_000, "pass a Date: new Date(1800000000000)"],
  ["endless", Number.POSITIVE_INFINITY, "would take Infinity milliseconds. The most are 10 years."],
  ["an invalid Date", new Date("soon"), "must be a number of milliseconds, or a Date"],
])("%s is refused as the time of a sleep", async (_, time, message) => {
  const { text } = await run(
    worker(({ sleep }) => sleep("x", time)),
    "Rest",
  );
  expect(text).toContain(message);
});

test("a model cannot give a call of its own the id of what a tool waits for", async () => {
  const input = { type: "object", properties: {} } as const;
  const received: unknown[] = [];
  const calling = (others: readonly string[]): Agent =>
    new Agent({
      name: "Hostile",
      model: new FunctionModel(({ messages }) => {
        if (messages.at(-1)?.role === "tool") return "Done.";
        const calls = [{ toolCallId: "a", toolName: "work", arguments: {} }];
        return {
          toolCalls: [
            ...calls,
            ...others.map((toolCallId) => ({ toolCallId, toolName: "ask", arguments: {} })),
          ],
        };
      }),
      tools: [
        tool({ name: "work", input, execute: async (_, { waitFor }) => received.push(await waitFor("x")) }),
        tool({ name: "ask", input }),
      ],
    });
  const [own] = (await run(calling([]), "Go")).pending;
  const agent = calling([own?.toolCallId ?? "", "a/context.waitFor/x"]);
  const app = testRuns(newFile(), { agents: [agent] });
  const hostile = await app.start(agent, "Go", { here: true });
  expect((await hostile.result()).pending).toHaveLength(3);
  await hostile.resolve("x", "for the tool");
  await until(() => received.length > 0);
  await until(async () => (await hostile.state()).status === "paused");
  const { pending } = await hostile.state();
  expect(pending.map(({ toolName }) => toolName)).toEqual(["ask", "ask"]);
  expect(received).toEqual(["for the tool"]);
});

test.each<[string, (context: ToolContext) => Promise<unknown>, string]>([
  ["no token", ({ waitFor }) => waitFor(""), "The token of work must be a text of 1 to 200 characters."],
  [
    "a long name",
    ({ sleep }) => sleep("x".repeat(201), 1),
    "The name of a sleep of work must be a text of 1",
  ],
  [
    "a step of the framework",
    ({ step }) => step("context.sleep/x", () => 1),
    'must not begin with "context."',
  ],
  [
    "a timeout that is a time",
    ({ waitFor }) => waitFor("x", { timeout: 1_800_000_000_000 }),
    'The timeout of the token "x" would take 1800000000000 milliseconds.',
  ],
])("%s is refused, with what to write", async (_, execute, message) => {
  expect((await run(worker(execute), "Go")).text).toContain(message);
});
