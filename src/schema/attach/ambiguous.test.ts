import { describe, expect, test } from "vitest";
import { Agent, executeToolCalls, schemaOf, toolkit, type ToolContext } from "../../index.ts";
import { toolsOf } from "../../agent/agent-tools.ts";
import { attach } from "./index.ts";

class Shelf<Item> {
  /** Puts an item there. */
  put(item: Item): Item {
    return item;
  }
}

interface Caller {
  readonly context: { readonly user: string };
}

class Runner<C extends Caller> {
  whoAmI(as: C): string {
    return as.context.user;
  }
}

test("a method of two instances of a generic class, one type each, has no schema at all", async () => {
  const context = { context: {}, agent: undefined, messages: [] };
  const [names, amounts] = [toolkit(new Shelf<string>()), toolkit(new Shelf<number>())];
  const [put] = await names.tools(context);
  expect(put?.inputSchema.jsonSchema).toMatchObject({ properties: { item: { type: "string" } } });
  await expect(async () => amounts.tools(context)).rejects.toThrow(
    "put is used with several types, and a function has one schema.",
  );
});

test("no instance lends another its schema, and so no model writes the context of one", async () => {
  const preview = toolkit(new Runner<Caller>(), { namespace: "preview" });
  const real = toolkit(new Runner<ToolContext<{ user: string }>>(), { namespace: "real" });
  const forged = { as: { context: { user: "Eve" } } };
  const call = { toolCallId: "1", toolName: "real_whoAmI", arguments: JSON.stringify(forged) };
  await expect(executeToolCalls([call], [preview, real], { context: { user: "Ada" } })).rejects.toThrow(
    "whoAmI is used with several types",
  );
});

test("an instantiation expression is what its type says", async () => {
  function same<Value>(value: Value): Value {
    return value;
  }
  expect((await schemaOf(same<"a" | "b">)).inputSchema).toMatchObject({
    properties: { value: { enum: ["a", "b"] } },
  });
});

test("what builds attach to one function for two expressions contradicts, too", async () => {
  const fn = (item: string): string => item;
  const schema = (type: string): string =>
    JSON.stringify({
      name: "fn",
      inputSchema: { type: "object", properties: { item: { type } } },
      parameters: [{ kind: "property", name: "item" }],
      instance: true,
    });
  attach(fn, schema("string"));
  expect(await schemaOf(fn)).toMatchObject({ inputSchema: { properties: { item: { type: "string" } } } });
  attach(fn, schema("number"));
  await expect(schemaOf(fn)).rejects.toThrow("fn is used with several types");
});

describe("a function whose schema is found already", () => {
  interface Base {
    readonly context: object;
  }
  type Narrow = ToolContext<{ user: string }>;
  const several = "is used with several types, and a function has one schema.";

  async function namesOf(agent: Agent): Promise<readonly string[]> {
    return (await toolsOf(agent, {})).tools.map(({ name }) => name);
  }

  test("has none once another agent passes it on under another type", async () => {
    function show<T extends Base>(as: T): string {
      return JSON.stringify(as.context);
    }
    const plain = new Agent({ name: "Plain", tools: [show] });
    // oxlint-disable typescript/no-explicit-any, typescript/no-unnecessary-type-assertion -- programs write it
    const cast = new Agent({ name: "Cast", tools: [show as any as (as: Narrow) => string] });
    // oxlint-enable typescript/no-explicit-any, typescript/no-unnecessary-type-assertion
    expect(await namesOf(plain)).toEqual(["show"]);
    await expect(namesOf(cast)).rejects.toThrow(`show ${several}`);
  });

  test("also if an agent is created afterwards, or both are looked up at once", async () => {
    const show = (as: Base): string => JSON.stringify(as.context);
    expect(await namesOf(new Agent({ name: "Plain", tools: [show] }))).toEqual(["show"]);
    const narrow: (as: Narrow) => string = show;
    await expect(namesOf(new Agent({ name: "Cast", tools: [narrow] }))).rejects.toThrow(`show ${several}`);
    const print = (as: Base): string => JSON.stringify(as.context);
    const cast: (as: Narrow) => string = print;
    const agents = [new Agent({ name: "Plain", tools: [print] }), new Agent({ name: "Cast", tools: [cast] })];
    const results = await Promise.allSettled(agents.map(namesOf));
    expect(results.filter(({ status }) => status === "rejected")).not.toEqual([]);
    await expect(namesOf(new Agent({ name: "Cast", tools: [cast] }))).rejects.toThrow(`print ${several}`);
  });

  test("nor by a wrapper that returns it as it is", async () => {
    const show = (as: Base): string => JSON.stringify(as.context);
    const privileged = (fn: (as: Base) => string): ((as: Narrow) => string) => fn;
    expect(await namesOf(new Agent({ name: "Plain", tools: [show] }))).toEqual(["show"]);
    await expect(namesOf(new Agent({ name: "Cast", tools: [privileged(show)] }))).rejects.toThrow(
      `show ${several}`,
    );
  });

  test("nor by a toolkit that is created later", async () => {
    const context = { context: {}, agent: undefined, messages: [] };
    class Teller<C extends Caller> {
      tell(as: C): string {
        return as.context.user;
      }
    }
    expect(await toolkit(new Teller<Caller>()).tools(context)).toHaveLength(1);
    const real = toolkit(new Teller<ToolContext<{ user: string }>>());
    await expect(async () => real.tools(context)).rejects.toThrow(`tell ${several}`);
  });

  test("keeps it where the other type asks for the same arguments, however often that is", async () => {
    const twice = (n: number): number => n * 2;
    const typed: (n: number) => unknown = twice;
    for (const name of ["A", "B", "C"]) {
      expect(await namesOf(new Agent({ name, tools: [twice] }))).toEqual(["twice"]);
      expect(await namesOf(new Agent({ name, tools: [typed] }))).toEqual(["twice"]);
      expect(await namesOf(new Agent({ name, tools: { double: twice } }))).toEqual(["double"]);
    }
  });
});
