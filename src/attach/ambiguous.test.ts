import { expect, test } from "vitest";
import { executeToolCalls, schemaOf, toolkit, type ToolContext } from "../index.ts";
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
