import { executeToolCalls } from "../run/execute-tool-calls.ts";
import { expect, test } from "vitest";
import { attach } from "../schema/attach/attach.ts";
import { schemaOf } from "./schema-of.ts";
import { tool } from "./define.ts";
import type { ToolContext } from "./tool-context.ts";
import type { ToolFunction } from "./tool-function.ts";

function refund({ context }: ToolContext<{ user: string }>, name: string): string {
  return context.user + name;
}

const rest = (name: string, parameter: string): string =>
  JSON.stringify({
    name,
    inputSchema: {
      type: "object",
      properties: { [parameter]: { type: "array", items: {} } },
      additionalProperties: false,
    },
    parameters: [{ kind: "rest", name: parameter }],
  });

const message = /calls another function with all that it gets/;

test("what a build attached to fn.call.bind(fn) or Reflect.apply makes no tool of it", async () => {
  const functions: readonly (readonly [fn: ToolFunction, schema: string])[] = [
    [refund.call.bind(refund, undefined), rest("call", "args")],
    [refund.apply.bind(refund, undefined), rest("apply", "argArray")],
    [Reflect.apply.bind(undefined, refund, undefined), rest("apply", "argumentsList")],
    [Reflect.apply, rest("apply", "argumentsList")],
  ];
  for (const [fn, schema] of functions) {
    await expect(schemaOf(attach(fn, schema))).rejects.toThrow(message);
    const name = Object.keys(JSON.parse(schema).inputSchema.properties).join("");
    const input = { type: "object", properties: { [name]: { type: "array" } } };
    await expect(schemaOf(tool(fn, { input }))).rejects.toThrow(message);
  }
});

test("a method of a program that is named call is a tool", async () => {
  const telephone = { call: (number: string): string => number };
  const fn = attach(telephone.call.bind(telephone), rest("call", "number"));
  expect((await schemaOf(fn)).name).toBe("call");
});

test("in development, fn.call.bind(fn) is not a tool", async () => {
  await expect(schemaOf(refund.call.bind(refund, undefined))).rejects.toThrow(message);
});

test("in development, fn.call.bind(fn) is not a tool where its type is unknown, either", async () => {
  const hidden: unknown = refund.call.bind(refund, undefined);
  const isFunction = (value: unknown): value is ToolFunction => typeof value === "function";
  if (!isFunction(hidden)) throw new TypeError("bind made no function");
  await expect(schemaOf(hidden)).rejects.toThrow(/call/);
});

test("a bound function of the program's own may have a parameter of such a name", async () => {
  function open(target: string, args: number): string {
    return `${target} ${args}`;
  }
  const call = { toolCallId: "1", toolName: "open", arguments: '{"target":"door","args":2}' };
  const [result] = await executeToolCalls([call], [open.bind(undefined)]);
  expect(result).toMatchObject({ outcome: "success", content: [{ text: "door 2" }] });
});
