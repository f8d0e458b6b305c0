import { describe, expect, test } from "vitest";
import { Agent } from "../../agent/agent.ts";
import { FunctionModel } from "../../testing/index.ts";
import { run } from "../../run/run.ts";
import { tool } from "../../tool/define.ts";
import { schemaOf } from "../../tool/schema-of.ts";
import { toolkit } from "../../tool/toolkit.ts";
import { attach } from "./attach.ts";
import { knownSchema } from "./schemas.ts";

/** A schema that no reader of the sources could make up. */
function schema(name: string, description = `Attached to ${name}`): string {
  const inputSchema = { type: "object", properties: { city: { type: "string" } }, required: ["city"] };
  return JSON.stringify({ name, description, inputSchema, parameters: [{ kind: "property", name: "city" }] });
}

/** The schema of a method that builds have seen to be public. */
function publicSchema(name: string): string {
  return JSON.stringify({ ...JSON.parse(schema(name)), public: true });
}

describe("attach", () => {
  test("returns the same function, and the schema is what the model sees", async () => {
    const fn = (place: string): string => place;
    expect(attach(fn, schema("lookUp"))).toBe(fn);
    expect(await schemaOf(fn)).toMatchObject({ name: "lookUp", description: "Attached to lookUp" });
  });

  test("gives a type of output its schema, too, which is an object", () => {
    const type = {};
    expect(knownSchema(attach(type, schema("weather")))).toMatchObject({ name: "weather" });
    expect(attach(null, schema("weather"))).toBeNull();
  });

  test("does not replace what a function says itself by the same of an instance", () => {
    const fn = attach((place: string): string => place, schema("lookUp", "Its own words"));
    attach(fn, JSON.stringify({ ...JSON.parse(schema("lookUp", "Others")), instance: true }));
    expect(knownSchema(fn)).toMatchObject({ description: "Its own words" });
  });

  test("names a function that a minifier has renamed, in lists, clashes and tool(...)", async () => {
    const a = attach((x: string) => `18 degrees in ${x}`, schema("getWeather"));
    const model = new FunctionModel(({ messages, tools }) => {
      const last = messages.at(-1);
      if (last?.role === "user") {
        return { toolCalls: [{ toolName: tools?.[0]?.name ?? "", arguments: { city: "Paris" } }] };
      }
      return last?.role === "tool" ? JSON.stringify(last.result) : "";
    });
    const { text } = await run(new Agent({ name: "A", model, tools: [a] }), "Weather?");
    expect(text).toContain("18 degrees in Paris");
    expect(JSON.parse(text)).toMatchObject({ toolName: "getWeather" });
    expect(tool(a, { timeout: 5 }).name).toBe("getWeather");
    expect(tool(a, { name: "mine" }).name).toBe("mine");
    const b = attach((x: string) => x, schema("getWeather"));
    expect(() => new Agent({ name: "A", tools: [a, b] })).toThrow(/tools\[0\].*getWeather.*tools\[1\]/);
  });

  test("reaches into lists and records, among any other values", () => {
    const first = (): void => undefined;
    const third = (): void => undefined;
    const inner = (): void => undefined;
    attach([first, "x", third], [schema("first"), null, schema("third")]);
    attach({ inner: [inner], other: 1 }, { inner: [schema("inner")], missing: schema("missing") });
    expect([first, third, inner].map((fn) => knownSchema(fn)?.name)).toEqual(["first", "third", "inner"]);
  });

  test("leaves what is in place of a class's method alone: the build has described the method", () => {
    class Bank {
      pay(from: string): string {
        return from;
      }
      lend(to: string): string {
        return to;
      }
    }
    const bank = new Bank();
    const swapped = (to: string): string => to;
    Object.assign(bank, { pay: swapped, lend: bank.lend.bind(bank) });
    attach(bank, { pay: schema("pay"), lend: schema("lend") });
    expect(knownSchema(swapped)).toBeUndefined();
    expect(knownSchema(bank.lend)?.name).toBe("lend");
    const record = { toString: (): string => "" };
    attach(record, { toString: schema("toString") });
    expect(knownSchema(record.toString)?.name).toBe("toString");
  });

  test("leaves a list alone that is not the one that was read", () => {
    const fn = (): void => undefined;
    attach([fn, fn], [schema("fn")]);
    attach([fn], [schema("fn"), null]);
    expect(knownSchema(fn)).toBeUndefined();
  });

  test("leaves anything alone that is not what was expected", () => {
    for (const value of [undefined, null, 3, "text", Symbol("s")]) {
      expect(attach(value, schema("value"))).toBe(value);
      expect(attach(value, [schema("value")])).toBe(value);
      expect(attach(value, { length: schema("value") })).toBe(value);
    }
  });

  test("finds the methods of an instance on its classes, and a toolkit uses them with `this`", async () => {
    class Base {
      readonly unit: string = "degrees";
      weather(city: string): string {
        return `18 ${this.unit} in ${city}`;
      }
    }
    class Kit extends Base {}
    const kit = attach(new Kit(), { weather: publicSchema("weather"), constructor: schema("WeatherKit") });
    expect(toolkit(kit).name).toBe("WeatherKit");
    const [weather] = await toolkit(kit).tools({ context: {}, agent: undefined, messages: [] });
    expect(weather).toMatchObject({ name: "weather", description: "Attached to weather" });
  });

  test("a toolkit refuses a method that no build has seen to be public: a private property may hold it", async () => {
    const find = (city: string): string => city;
    class Kit {
      find = find;
    }
    attach(find, schema("find"));
    const scope = { context: {}, agent: undefined, messages: [] };
    await expect(toolkit(new Kit()).tools(scope)).rejects.toThrow(
      /^Cannot determine whether these methods of Kit are public:\n {2}- find\n/,
    );
    const [named] = await toolkit(new Kit(), { methods: { find: {} } }).tools(scope);
    expect(named?.description).toBe("Attached to find");
  });

  test("leaves out what its class has as a private property, though the function is a tool elsewhere", async () => {
    const find = (city: string): string => city;
    class Kit {
      find = find;
      look(city: string): string {
        return this.find(city);
      }
    }
    const constructed = JSON.stringify({ ...JSON.parse(schema("Kit")), hiddenMembers: ["find"] });
    const kit = attach(new Kit(), { look: publicSchema("look"), constructor: constructed });
    attach(find, publicSchema("find"));
    const tools = await toolkit(kit).tools({ context: {}, agent: undefined, messages: [] });
    expect(tools.map(({ name }) => name)).toEqual(["look"]);
  });

  test("replaces a schema by another, and reads the same one once", () => {
    const fn = (): void => undefined;
    attach(fn, schema("fn", "one"));
    const first = knownSchema(fn);
    expect(knownSchema(attach(fn, schema("fn", "one")))).toBe(first);
    expect(knownSchema(attach(fn, schema("fn", "two")))?.description).toBe("two");
  });
});
