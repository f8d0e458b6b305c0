import { describe, expect, test } from "vitest";
import { attach } from "../schema/attach/attach.ts";
import { executeToolCalls } from "../run/execute-tool-calls.ts";
import { tool } from "./define.ts";
import { schemaOf } from "./schema-of.ts";
import { toolkit } from "./toolkit.ts";
import type { ToolSources } from "./types.ts";

const counter = { step: 5 };

/** Adds the step. */
function increase(this: { step: number }, to: number): number {
  return to + this.step;
}

function withCallback(this: { step: number }, to: number, done: () => void): number {
  done();
  return to + this.step;
}

class Kit {
  readonly step = 7;
  increase(this: Kit, to: number): number {
    return to + this.step;
  }
}

async function call(tools: ToolSources): Promise<unknown> {
  const calls = [{ toolCallId: "1", toolName: "increase", arguments: '{"to":1}' }];
  const [result] = await executeToolCalls(calls, tools);
  return result?.content;
}

const refusal = {
  code: "invalid-tool",
  data: { function: "increase", thisType: "{ step: number; }" },
  message:
    "The function increase needs this to be { step: number; }, and a tool is called without one. " +
    "Pass increase.bind(object), or an arrow function that calls it on the object: (city: string) => increase.call(object, city).",
};

describe("a function that declares what this is, is refused where it would be called without", () => {
  test("passed as it is", async () => {
    await expect(schemaOf(increase)).rejects.toMatchObject(refusal);
    await expect(schemaOf(tool(increase, { timeout: 5 }))).rejects.toMatchObject(refusal);
  });

  test("with a schema of its own", async () => {
    const input = { type: "object", properties: { to: { type: "number" } }, required: ["to"] };
    await expect(schemaOf(tool(increase, { input }))).rejects.toMatchObject(refusal);
    const both = { ...input, properties: { ...input.properties, done: {} }, required: ["to", "done"] };
    await expect(schemaOf(tool(withCallback, { input: both }))).rejects.toMatchObject({
      message: expect.stringContaining("The function withCallback needs this to be { step: number; }"),
    });
  });

  test("as a method without its instance", async () => {
    await expect(schemaOf(new Kit().increase)).rejects.toMatchObject({
      message: expect.stringContaining("The function increase needs this to be Kit"),
    });
  });

  test("with what a build has attached", async () => {
    const schema = { name: "increase", inputSchema: {}, parameters: [], thisType: "{ step: number; }" };
    const attached = attach((to: number) => to, JSON.stringify(schema));
    await expect(schemaOf(attached)).rejects.toMatchObject(refusal);
    const bound = attach(increase.bind(counter), JSON.stringify(schema));
    expect(await schemaOf(bound)).toMatchObject({ name: "increase" });
  });
});

describe("it is a tool", () => {
  test("bound to an object", async () => {
    const text = [{ type: "text", text: "6" }];
    expect(await call({ increase: increase.bind(counter) })).toEqual(text);
    expect(await call({ increase: increase.bind(counter) })).toEqual(text);
  });

  test("called by an arrow function", async () => {
    const tools = { increase: (to: number) => increase.call(counter, to) };
    expect(await call(tools)).toEqual([{ type: "text", text: "6" }]);
  });

  test("as a method of a toolkit", async () => {
    expect(await call([toolkit(new Kit())])).toEqual([{ type: "text", text: "8" }]);
  });

  test("if anything will do, or nothing", async () => {
    function first(this: void, to: number): number {
      return to;
    }
    function second(this: unknown, to: number): number {
      return to;
    }
    function third(this: { step: number } | undefined, to: number): number {
      return to + (this?.step ?? 0);
    }
    for (const fn of [first, second, third]) {
      expect(await call({ increase: fn })).toEqual([{ type: "text", text: "1" }]);
    }
  });
});
