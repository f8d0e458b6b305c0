import { expect, test } from "vitest";
import { Agent, executeToolCalls, result, run, tool, type Tool } from "skein";
import { ScriptedModel } from "skein/testing";
import { z } from "zod";
import { workCalls } from "./test-calls.ts";

const output = {
  type: "object",
  properties: { city: { type: "string" }, degrees: { type: "number" } },
  required: ["city", "degrees"],
} as const;

function checkedTool(execute: () => unknown, schema: Parameters<typeof tool>[0] | object = output): Tool {
  return tool({
    name: "work",
    input: { type: "object" },
    output: schema as typeof output,
    execute,
    validateOutput: true,
  });
}

const only = async (work: Tool) => (await executeToolCalls(workCalls("a"), [work]))[0];

test("a result that fits goes through as it is", async () => {
  const value = { city: "Oslo", degrees: 3, more: [1] };
  expect(await only(checkedTool(() => value))).toMatchObject({
    outcome: "success",
    structuredContent: value,
  });
});

test("one that does not is an error that says what was wrong, and a warning", async () => {
  const model = new ScriptedModel([{ toolCalls: [{ toolName: "work" }] }, "done"]);
  const work = checkedTool(() => ({ city: 1, degrees: "3" }));
  const { messages, warnings } = await run(new Agent({ name: "A", model, tools: [work] }), "go");
  const answer = messages.find((message) => message.role === "tool");
  expect(answer?.result).toMatchObject({ isError: true, outcome: "error" });
  expect(answer?.result).not.toHaveProperty("structuredContent");
  const [text] = answer?.result.content ?? [];
  expect(text).toMatchObject({
    text: expect.stringMatching(
      /^work failed: .*\n- \$\.city: expected a string.*\n- \$\.degrees: expected a number/,
    ),
  });
  expect(warnings).toEqual([expect.stringContaining("$.city")]);
});

test("where results are hidden from the model, it learns where they do not match", async () => {
  const work = checkedTool(() => ({ city: "secret" }));
  const masked = await only({ ...work, policy: { ...work.policy, mask: true } });
  expect(masked?.content).toMatchObject([
    { text: expect.stringContaining("output schema at $.degrees. What") },
  ]);
  expect(JSON.stringify(masked)).not.toContain("secret");
});

test("where they are hidden, so is what the check of them throws", async () => {
  const work = checkedTool(() => ({ city: "secret" }));
  const validate = (value: unknown): never => {
    throw new Error(JSON.stringify(value));
  };
  const throwing = { ...work, outputSchema: { jsonSchema: {}, validate } };
  expect(JSON.stringify(await only(throwing))).toContain("secret");
  const masked = await only({ ...throwing, policy: { ...work.policy, mask: true } });
  expect(masked?.content).toMatchObject([
    { text: expect.stringContaining("The check of what work returned") },
  ]);
  expect(JSON.stringify(masked)).not.toContain("secret");
});

test("what a generator returns is checked, what it yields is not", async () => {
  const work = checkedTool(function* () {
    yield "progress";
    return { city: "Oslo" };
  });
  expect(await only(work)).toMatchObject({
    outcome: "error",
    content: [{ text: expect.stringContaining("degrees") }],
  });
});

test("texts are checked as texts, and nothing does not pass as an object", async () => {
  const names = { type: "string", enum: ["ok"] };
  expect(await only(checkedTool(() => "ok", names))).toMatchObject({ outcome: "success" });
  expect(await only(checkedTool(() => "oh", names))).toMatchObject({ outcome: "error" });
  expect(await only(checkedTool(() => undefined))).toMatchObject({ outcome: "error" });
});

test("errors and handoffs are left as they are", async () => {
  const failing = checkedTool(() => result({ value: "no", isError: true }));
  expect(await only(failing)).toMatchObject({ content: [{ text: "no" }] });
  const other = new Agent({ name: "Other" });
  expect(await only(checkedTool(() => other))).toMatchObject({ outcome: "success" });
});

test("a schema that takes its time is waited for", async () => {
  const schema = z.string().refine(async (text) => text === "right");
  expect(await only(checkedTool(() => "right", schema))).toMatchObject({ outcome: "success" });
  expect(await only(checkedTool(() => "wrong", schema))).toMatchObject({ outcome: "error" });
});

test("long lists of issues are cut", async () => {
  const properties = Object.fromEntries(
    Array.from({ length: 20 }, (_, index) => [`p${index}`, { type: "string" }]),
  );
  const issuesOf = async (count: number) => {
    const required = Object.keys(properties).slice(0, count);
    const [part] =
      (await only(checkedTool(() => ({}), { type: "object", properties, required })))?.content ?? [];
    return part?.type === "text" ? part.text.split("\n").slice(1) : [];
  };
  expect(await issuesOf(20)).toHaveLength(6);
  expect((await issuesOf(20)).at(-1)).toBe("- and 15 more");
  expect(await issuesOf(5)).toEqual(
    [0, 1, 2, 3, 4].map((n) => expect.stringMatching(`^- \\$.p${n}: is required`)),
  );
});

test("of each issue 300 characters are shown", async () => {
  const names = Array.from({ length: 20 }, (_, index) => `${"x".repeat(40)}${index}`);
  const work = checkedTool(() => "no", { type: "string", enum: names });
  const [part] = (await only(work))?.content ?? [];
  const issue = part?.type === "text" ? part.text.split("\n").at(-1) : undefined;
  expect(issue).toHaveLength("- $: ".length + 300);
});

test("a tool without an output schema is warned of", async () => {
  const model = new ScriptedModel([{ toolCalls: [{ toolName: "work" }] }, "done"]);
  const work = tool({
    name: "work",
    input: { type: "object" },
    execute: () => 1,
    validateOutput: true,
  });
  const { warnings } = await run(new Agent({ name: "A", model, tools: [work] }), "go");
  expect(warnings).toEqual([expect.stringContaining("no output schema")]);
});

const long = {
  type: "object",
  properties: { text: { type: "string" }, receipt: { type: "string" } },
  required: ["text", "receipt"],
} as const;

test.each<[string, object, () => unknown]>([
  ["a value", long, () => ({ text: "x".repeat(2_000_000), receipt: "r-7" })],
  ["a value that is deep", {}, () => nested(150)],
  ["a text", { type: "string", pattern: "^x*$" }, () => "x".repeat(2_000_000)],
  [
    "a value beside content",
    long,
    () => result({ content: "sent", value: { text: "x".repeat(2_000_000), receipt: "r-7" } }),
  ],
  ["content", { type: "string", pattern: "^x*$" }, () => result({ content: "x".repeat(2_000_000) })],
  [
    "parts",
    { type: "string", pattern: "^x*$" },
    () => result({ content: [{ type: "text", text: "x".repeat(2_000_000) }] }),
  ],
])("what is checked is what the tool returned, before it is cut: %s", async (_, schema, execute) => {
  const outcome = await only(checkedTool(execute, schema));
  expect(outcome).toMatchObject({ outcome: "success" });
  expect(outcome).not.toHaveProperty("cut");
  expect(JSON.stringify(outcome).length).toBeLessThan(2_500_000);
});

test("what does not fit behind the end of a result is an error", async () => {
  const outcome = await only(checkedTool(() => ({ text: "x".repeat(2_000_000), receipt: 7 }), long));
  expect(outcome).toMatchObject({
    outcome: "error",
    content: [{ text: expect.stringContaining("$.receipt") }],
  });
});

test("what is too much to be checked is not called wrong, and the application is warned", async () => {
  const model = new ScriptedModel([{ toolCalls: [{ toolName: "work" }] }, "done"]);
  const work = checkedTool(() => nested(2_000), {});
  const { messages, warnings } = await run(new Agent({ name: "A", model, tools: [work] }), "go");
  expect(messages.find((message) => message.role === "tool")).toMatchObject({
    result: { outcome: "success" },
  });
  expect(warnings).toEqual(["work returned more than can be checked against its output schema."]);
});

/** Lists within each other. */
function nested(levels: number): unknown {
  let value: unknown = [];
  for (let level = 1; level < levels; level++) value = [value];
  return value;
}
