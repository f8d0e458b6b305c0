import { describe, expect, test } from "vitest";
import { schemaOf, tool, toolkit, type ToolContext, type ToolSource } from "../../index.ts";

interface Caller {
  readonly user: string;
}

interface Sending {
  send(to: string, from: object): string;
}

function whoami(to: string, from: ToolContext<Caller>): string {
  return `${to} ${from.context.user}`;
}

class Kit {
  send(to: string, from: ToolContext<Caller>): string {
    return `${to} ${from.context.user}`;
  }
}

class Plain {
  send(to: string, from: object): string {
    return `${to} ${JSON.stringify(from)}`;
  }
}

/** Returns what it gets, by another type. */
function loosened(fn: unknown): (to: string, from: object) => string {
  const loose: unknown = fn;
  if (isLoose(loose)) return loose;
  throw new TypeError("fn must be a function");
}

function isLoose(value: unknown): value is (to: string, from: object) => string {
  return typeof value === "function";
}

function passedOn<F extends (to: string, from: ToolContext<Caller>) => string>(
  fn: F,
): (to: string, from: object) => string {
  return loosened(fn);
}

/** What runs has both parameters in one: the types of both are those of a tuple's elements. */
function logged(fn: typeof whoami): typeof whoami {
  return (...args) => fn(...args);
}

function retried<A extends [string, ToolContext<Caller>]>(
  fn: (...args: A) => string,
): (...args: A) => string {
  return (...args: A) => fn(...args);
}

function joined(fn: typeof whoami): (to: string, from: object) => string {
  return loosened((...args: [to: string, from: ToolContext<Caller>]) => fn(...args));
}

function asAdmin(fn: typeof whoami, context: ToolContext<Caller>): (to: string) => string {
  return (to) => fn(to, context);
}

const hidden = "it takes a ToolContext, which the type of the expression does not have there";

async function kitSchemas(kit: Sending): Promise<readonly string[]> {
  const tools = await toolkit(kit).tools({ context: {}, agent: undefined, messages: [] });
  return tools.map(({ inputSchema }) => JSON.stringify(inputSchema.jsonSchema));
}

describe("a function that runs is held against the type by which it is passed on", () => {
  test("a method of a class that the text does not name", async () => {
    expect(await kitSchemas(new Plain())).toEqual([expect.stringContaining('"from"')]);
    await expect(kitSchemas(new Kit())).rejects.toThrow(hidden);
  });

  test("a method of a parameter", async () => {
    const schemaFrom = (kit: Sending): Promise<unknown> => schemaOf(kit.send);
    expect(await schemaFrom(new Plain())).toHaveProperty("inputSchema.properties.from");
    await expect(schemaFrom(new Kit())).rejects.toThrow(hidden);
  });

  test("what a wrapper returns that is the function itself", async () => {
    await expect(schemaOf(passedOn(whoami))).rejects.toThrow(hidden);
    const input = { type: "object", properties: { to: { type: "string" }, from: {} } } as const;
    const source: ToolSource = tool(passedOn(whoami), { input });
    await expect(schemaOf(source)).rejects.toThrow("are not known");
  });

  test("the error names the function and its parameter", async () => {
    await expect(schemaOf(passedOn(whoami))).rejects.toThrow(
      'The signature of "whoami" is used by a type without its ToolContext:\n  - parameter "from"',
    );
  });

  test("a wrapper with a rest tuple takes the context where the tuple has it", async () => {
    expect(await schemaOf(logged(whoami))).toHaveProperty("inputSchema.required", ["to"]);
    expect(await schemaOf(retried(whoami))).toHaveProperty("inputSchema.required", ["to"]);
    await expect(schemaOf(joined(whoami))).rejects.toThrow(hidden);
  });

  test("a wrapper that takes the context away is another function", async () => {
    const context = {} as ToolContext<Caller>;
    expect(await schemaOf(asAdmin(whoami, context))).toHaveProperty("inputSchema.required", ["to"]);
  });
});
