import { expect, test } from "vitest";
import { executeToolCalls, tool, type Offload, type ToolResult } from "../../index.ts";
import { addUp } from "./fixtures/work.ts";

const module = new URL("./fixtures/work.ts", import.meta.url);
const anything = { type: "object" } as const;

function offloadedTool(name: string, offload: Offload = { module, export: name }, timeout = 60_000) {
  return tool({ name, input: anything, offload, timeout });
}

async function call(
  name: string,
  args: object,
  source = offloadedTool(name),
): Promise<ToolResult | undefined> {
  const [result] = await executeToolCalls(
    [{ toolCallId: "1", toolName: name, arguments: JSON.stringify(args) }],
    [source],
  );
  return result;
}

const textOf = (result: ToolResult | undefined): string => JSON.stringify(result?.content);

test("a plain function is executed in a thread, with its own parameters", async () => {
  const [result] = await executeToolCalls(
    [{ toolCallId: "1", toolName: "addUp", arguments: '{"limit":10}' }],
    [tool(addUp, { offload: { module, export: "addUp" } })],
  );
  expect(result?.structuredContent).toBe(55);
});

test("a thread that is busy for ever is ended at the deadline, and the next call goes on", async () => {
  const result = await call("spin", {}, offloadedTool("spin", { module, export: "spin" }, 200));
  expect(result?.outcome).toBe("timeout");
  const next = await call(
    "addUp",
    {},
    tool({ name: "addUp", input: anything, offload: { module: module.href, export: "addUp" } }),
  );
  expect(next?.structuredContent).toBe(0);
});

test("a tool that ends its process ends its thread only", async () => {
  const result = await call("leave", {});
  expect(result?.outcome).toBe("error");
  expect(textOf(result)).toMatch(/leave failed: .*exit/);
});

test("an exception of the function is reported like any tool's error", async () => {
  expect(textOf(await call("fail", { word: "no" }))).toContain("fail failed: the word was no");
});

test("a value that cannot leave the thread is a named error", async () => {
  expect(textOf(await call("secret", {}))).toContain("secret returned what cannot leave its thread");
});

test("a function that the module does not export is an error that lists those that it does", async () => {
  const result = await call("constructor", {});
  expect(textOf(result)).toContain('exports no function \\"constructor\\", only: addUp, fail');
});

test.each([
  ["a relative path", { module: "./work.ts" }, /Pass new URL\("\.\/module\.ts", import\.meta\.url\)/],
  ["a misspelled option", { module, exports: "addUp" }, /has no option "exports"\. Did you mean "export"/],
])("%s is refused at once", (_, offload, message) => {
  expect(() => offloadedTool("addUp", offload as Offload)).toThrow(message);
});

test("a tool that says twice what it does is refused", () => {
  expect(() => tool({ name: "both", input: anything, offload: { module }, execute: () => 1 })).toThrow(
    /has both execute and offload/,
  );
});
