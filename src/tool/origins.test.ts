import { describe, expect, test, vi } from "vitest";
import { Agent, toolsOriginOf } from "../agent/agent.ts";
import { toolsOf } from "../agent/agent-tools.ts";
import { attach } from "../schema/attach/attach.ts";
import { executeToolCalls } from "../run/execute-tool-calls.ts";
import { generate } from "../run/generate.ts";
import { FunctionModel } from "../testing/function-model.ts";
import { tool } from "./define.ts";
import { captureCall } from "./origins.ts";
import { ToolRegistry } from "./registry.ts";
import { NameClashError } from "../errors.ts";
import { schemaOf } from "./schema-of.ts";
import { toolkit } from "./toolkit.ts";
import { toolset } from "./toolset.ts";
import type { ToolFunction } from "./tool-function.ts";
import type { Toolset } from "./types.ts";

/**
 * Doubles a number.
 * @param n - The number
 */
function twice(n: number): number {
  return n * 2;
}

/** Joins two texts. */
const join = (left: string, right: string): string => left + right;

function logged<A extends unknown[], R>(fn: (...args: A) => R): (...args: A) => R {
  return (...args) => fn(...args);
}

function debounced<A extends unknown[], R>(fn: (...args: A) => R): (...args: A) => R {
  return function late(...args) {
    return fn(...args);
  };
}

function wordy<A extends unknown[], R>(fn: (...args: A) => R): (...args: A) => R {
  return function aloud(...args) {
    return fn(...args);
  };
}

/** What models are told: names of tools, and of their parameters with their types. */
async function told(agent: Agent): Promise<readonly string[]> {
  const { tools } = await toolsOf(agent, {});
  return tools.map(({ name, inputSchema: { jsonSchema } }) => `${name} ${typesIn(jsonSchema)}`);
}

async function toldBy(kit: Toolset): Promise<readonly string[]> {
  const tools = await kit.tools({ context: {}, agent: undefined, messages: [] });
  return tools.map(({ name, inputSchema: { jsonSchema } }) => `${name} ${typesIn(jsonSchema)}`);
}

function typesIn(schema: Readonly<Record<string, unknown>>): string {
  const properties = Object.entries(Object(schema["properties"]));
  return properties.map(([name, property]) => `${name}:${Object(property)["type"]}`).join();
}

describe("what TypeScript says of the expression counts, not the code of a wrapper", () => {
  test("in a list, spread and by a constant", async () => {
    const shared = [debounced(join)];
    const agent = new Agent({ name: "A", tools: [logged(twice), ...shared] });
    expect(await told(agent)).toEqual(["twice n:number", "join left:string,right:string"]);
  });

  test("in a record, whose keys are the names", async () => {
    const agent = new Agent({ name: "A", tools: { double: logged(twice), late: debounced(join) } });
    expect(await told(agent)).toEqual(["double n:number", "late left:string,right:string"]);
  });

  test("for two wrappers of one kind, whose own names are the same", async () => {
    const agent = new Agent({ name: "A", tools: [debounced(twice), debounced(join)] });
    expect(await told(agent)).toEqual(["twice n:number", "join left:string,right:string"]);
  });

  test("in an edited copy, and one that keeps its tools", async () => {
    const agent = new Agent({ name: "A", tools: [logged(twice)] });
    expect(await told(agent.with({ tools: [logged(join)] }))).toEqual(["join left:string,right:string"]);
    expect(await told(agent.with({ name: "B" }))).toEqual(["twice n:number"]);
  });

  test("in the constructor of a subclass", async () => {
    class Desk extends Agent {
      constructor() {
        super({ name: "Desk", tools: [logged(twice)] });
      }
    }
    class Plain extends Agent {}
    expect(await told(new Desk())).toEqual(["twice n:number"]);
    expect(await told(new Plain({ name: "P", tools: [logged(join)] }))).toEqual([
      "join left:string,right:string",
    ]);
  });

  test("of bind, and of a mock", async () => {
    const agent = new Agent({ name: "A", tools: [join.bind(null, "a"), vi.fn<typeof twice>(twice)] });
    expect(await told(agent)).toEqual(["join right:string", "twice n:number"]);
  });

  test("in tool, toolset, schemaOf and executeToolCalls", async () => {
    expect(await schemaOf(logged(twice))).toMatchObject({
      name: "twice",
      description: "Doubles a number.",
      inputSchema: { properties: { n: { type: "number", description: "The number" } } },
    });
    const late = tool(debounced(join), { description: "Later." });
    expect(await schemaOf(late)).toMatchObject({ name: "join", description: "Later." });
    expect(await toldBy(toolset([logged(twice)]).prefixed("my"))).toEqual(["my_twice n:number"]);
    const call = { toolCallId: "1", toolName: "twice", arguments: '{"n":2}' };
    const [result] = await executeToolCalls([call], [logged(twice)]);
    expect(result).toMatchObject({ content: [{ text: "4" }] });
  });

  test("of the methods of an instance of a generic class", async () => {
    class Box<Item> {
      readonly items: Item[] = [];
      put(item: Item, at: number): void {
        this.items.splice(at, 0, item);
      }
    }
    expect(await toldBy(toolkit(new Box<string>()))).toEqual(["put item:string,at:number"]);
  });

  test("in a registry, by each of its calls", async () => {
    const list: ToolFunction[] = [join];
    const registry = new ToolRegistry()
      .tool(debounced(twice), { description: "Later.", version: "1.0.0" })
      .register(...list, tool({ name: "own", input: { type: "object" }, execute: () => "" }));
    registry.register(twice, wordy(join));
    expect(await toldBy(registry)).toEqual([
      "twice n:number",
      "join left:string,right:string",
      "own ",
      "twice n:number",
      "join left:string,right:string",
    ]);
  });

  test("in the request of generate", async () => {
    const seen: (readonly string[])[] = [];
    const model = new FunctionModel(({ tools = [] }) => {
      seen.push(tools.map(({ name, inputSchema }) => `${name} ${typesIn(inputSchema)}`));
      return "Done.";
    });
    await generate(model, { messages: "Go.", tools: [logged(twice)] });
    expect(seen).toEqual([["twice n:number"]]);
  });
});

test("a function that is listed several times is found for each place", async () => {
  const late = debounced(join);
  const agent = new Agent({ name: "A", tools: { one: late, two: late, three: late } });
  expect(await told(agent)).toEqual(
    ["one", "two", "three"].map((name) => `${name} left:string,right:string`),
  );
});

test("two functions of one name that a build has described are a clash at once", () => {
  const built = (): ToolFunction =>
    attach(
      function late(...all: readonly string[]) {
        return all.join();
      },
      JSON.stringify({ name: "late", inputSchema: { type: "object" }, parameters: [] }),
    );
  expect(() => new Agent({ name: "A", tools: [built(), built()] })).toThrow(NameClashError);
});

test("two functions of one name are a clash at once, if one of them may be a wrapper", () => {
  const wrapped = debounced(twice);
  function late(n: number): number {
    return n;
  }
  expect(() => new Agent({ name: "A", tools: [wrapped, late] })).toThrow(NameClashError);
});

describe("where the text of the call does not tell", () => {
  test("a function is what its own source says", async () => {
    const list: ToolFunction[] = [];
    list.push(twice);
    expect(await told(new Agent({ name: "A", tools: list }))).toEqual(["twice n:number"]);
  });

  test("a list that has become longer is not the one in the text", async () => {
    const list = [join];
    Reflect.apply(Array.prototype.unshift, list, [twice]);
    const agent = new Agent({ name: "A", tools: list });
    expect(await told(agent)).toEqual(["twice n:number", "join left:string,right:string"]);
  });

  test("what a wrapper made is refused, and the error says where to write its type", async () => {
    const list: ToolFunction[] = [];
    list.push(debounced(twice));
    await expect(told(new Agent({ name: "A", tools: list }))).rejects.toThrow(
      /parameter "args": its type is known only where the function around it is called \(.*origins\.test\.ts:\d+\)\nWrite the type where you pass it/,
    );
  });
});

test("a function that a build has given a schema needs no call to be remembered", () => {
  const built = attach(
    (city: string) => city,
    JSON.stringify({ name: "built", inputSchema: { type: "object" }, parameters: [] }),
  );
  expect(toolsOriginOf(new Agent({ name: "A", tools: [built] }))).toBeUndefined();
  expect(tool(built)).not.toHaveProperty("origin");
  const bare = (city: string): string => city;
  expect(toolsOriginOf(new Agent({ name: "A", tools: [bare, built] }))).toMatchObject({
    path: [0, "tools"],
  });
});

test("the call is one frame, and the limit of stacks is left as it was", () => {
  const { stackTraceLimit } = Error;
  const call = (): ReturnType<typeof captureCall> => captureCall(call);
  const { stack = "" } = call() ?? {};
  expect(stack.match(/^\s+at /gm)).toHaveLength(1);
  expect(stack).toContain("origins.test.ts");
  expect(Error.stackTraceLimit).toBe(stackTraceLimit);
});

test("works where stack frames cannot be left out, and with a frozen limit", () => {
  const { captureStackTrace } = Error;
  Reflect.set(Error, "captureStackTrace", undefined);
  expect(captureCall(captureCall)).toBeUndefined();
  Reflect.set(Error, "captureStackTrace", captureStackTrace);
  const limit = Object.getOwnPropertyDescriptor(Error, "stackTraceLimit") ?? {};
  Object.defineProperty(Error, "stackTraceLimit", { ...limit, writable: false });
  expect(captureCall(captureCall)).toHaveProperty("stack");
  Object.defineProperty(Error, "stackTraceLimit", limit);
});
