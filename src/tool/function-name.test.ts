import { expect, test } from "vitest";
import { Agent, run, tool, ToolRegistry } from "../index.ts";
import { ScriptedModel } from "../testing/index.ts";
import { describeFunction } from "./function-name.ts";
import double from "./fixtures/anonymous-default.ts";

test("an anonymous default export has no name, whatever Vite calls it", async () => {
  expect(double.name).toMatch(/^__vite_ssr/);
  expect(tool(double).name).toBeUndefined();
  expect(() => new ToolRegistry().tool(double)).toThrow(/without a name was registered/);
  const call = { toolCalls: [{ toolName: "double", arguments: { number: 2 } }] };
  const model = new ScriptedModel([call, "4"]);
  const result = await run(new Agent({ name: "A", model, tools: { double } }), "Hi");
  expect(model.requests[0]?.tools).toMatchObject([{ name: "double", description: "Doubles a number." }]);
  expect(result.messages[1]).toMatchObject({ result: { outcome: "success" } });
});

test("an anonymous function is named by the first 60 characters of its source", () => {
  const ofLength = (length: number): (() => string) =>
    new Function(`return () => "${"x".repeat(length - 8)}"`)();
  const [whole, longer] = [ofLength(60), ofLength(61)];
  expect(describeFunction(whole)).toBe(String(whole));
  expect(describeFunction(longer)).toBe(`${String(longer).slice(0, 60)}…`);
});
