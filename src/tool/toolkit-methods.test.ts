import { describe, expect, test } from "vitest";
import { attach } from "../schema/attach/attach.ts";
import type { FunctionSchema } from "../schema/function-schema.ts";
import { toolkit } from "./toolkit.ts";
import type { Toolset, ToolsetContext } from "./types.ts";

const scope: ToolsetContext = { context: {}, agent: undefined, messages: [] };
const namesOf = async (kit: Toolset): Promise<string[]> => (await kit.tools(scope)).map(({ name }) => name);

/** A method as a build attaches it, or as what was found of one in JavaScript. */
function method(name: string, more: Partial<FunctionSchema> = { public: true }): () => string {
  const fn = { [name]: () => name }[name] ?? (() => name);
  return attach(
    fn,
    JSON.stringify({ name, inputSchema: { type: "object", properties: {} }, parameters: [], ...more }),
  );
}

/** An instance of a class with these methods. */
function instanceOf(methods: Readonly<Record<string, () => unknown>>): object {
  class Kit {
    readonly step = 1;
  }
  for (const [name, fn] of Object.entries(methods))
    Object.defineProperty(Kit.prototype, name, { value: fn, enumerable: false });
  return new Kit();
}

describe("what is not a toolkit is refused, with what to write", () => {
  class Kit {
    pay(): void {}
  }
  const empty = instanceOf({});

  test.each<[unknown, string]>([
    [Kit, "toolkit() takes an instance of a class. Write toolkit(new Kit()), not toolkit(Kit)."],
    [[() => 1], "Write toolkit(new Kit()), or list the functions themselves, tools: [getWeather]."],
    ["text", "Write toolkit(new Kit())."],
    [null, "Write toolkit(new Kit())."],
    [empty, "The toolkit Kit has no public method. Write toolkit(new Kit()) of a class with methods"],
    [Object.create(null), "The toolkit toolkit has no public method."],
  ])("%o", (value, words) => {
    expect(() => toolkit(value as object)).toThrow(
      expect.objectContaining({ code: "invalid-tool", message: expect.stringContaining(words) }),
    );
  });
});

describe("of the properties of an instance, tools are", () => {
  test("functions, its own and those of its classes, each once and by the nearest", async () => {
    class Base {
      readonly amount = 1;
      /** Of the base. */
      pay(): string {
        return "base";
      }
      add(): string {
        return "base";
      }
    }
    class Derived extends Base {
      readonly own = (): string => "own";
      /** Of the derived class. */
      override pay(): string {
        return "derived";
      }
      _hidden(): string {
        return "hidden";
      }
      get late(): () => string {
        return () => "late";
      }
    }
    const tools = await toolkit(new Derived()).tools(scope);
    expect(tools.map(({ name }) => name).toSorted()).toEqual(["add", "own", "pay"]);
    expect(tools.find(({ name }) => name === "pay")?.description).toBe("Of the derived class.");
    expect(tools.find(({ name }) => name === "pay")?.execute?.({}, undefined as never)).toBe("derived");
  });

  test("not those that every object has, unless they are named", async () => {
    const methods = ["toString", "toJSON", "then", "valueOf", "pay"].map(
      (name) => [name, method(name)] as const,
    );
    const kit = instanceOf(Object.fromEntries(methods));
    expect(await namesOf(toolkit(kit))).toEqual(["pay"]);
    expect(await namesOf(toolkit(kit, { methods: { toString: {} } }))).toEqual(["toString", "pay"]);
  });

  test("not those that are hidden, or left out", async () => {
    const kit = instanceOf({
      pay: method("pay"),
      audit: method("audit", { hidden: true }),
      add: method("add"),
    });
    expect(await namesOf(toolkit(kit))).toEqual(["pay", "add"]);
    expect(await namesOf(toolkit(kit, { methods: { add: false } }))).toEqual(["pay"]);
  });

  test("not what its class keeps private, nor what declarations do not list", async () => {
    const kitOf = (more: Partial<FunctionSchema>): object => {
      const kit = instanceOf({ pay: method("pay"), add: method("add") });
      Object.assign(kit, { loose: () => 1 });
      attach(kit.constructor, JSON.stringify({ name: "Bank", inputSchema: {}, parameters: [], ...more }));
      return kit;
    };
    const hidden = toolkit(kitOf({ hiddenMembers: ["add", "loose"] }));
    expect([hidden.name, await namesOf(hidden)]).toEqual(["Bank", ["pay"]]);
    expect(await namesOf(toolkit(kitOf({ members: ["add"] })))).toEqual(["pay", "add"]);
  });
});

describe("methods of which nothing shows that they are public", () => {
  const doubtful = instanceOf({
    pay: method("pay"),
    one: method("one", { memberAt: "kit.js:3" }),
    two: method("two", { untypedAt: "kit.js:9" }),
    three: method("three", {}),
  });

  test("are an error that names each, where it is, and what to write", async () => {
    await expect(toolkit(doubtful).tools(scope)).rejects.toMatchObject({
      code: "schema-not-found",
      data: { toolkit: "Kit", methods: ["one", "two", "three"] },
      message: expect.stringMatching(
        /^Cannot determine whether these methods of Kit are public:\n {2}- one \(kit\.js:3\)\n {2}- two \(kit\.js:9\)\n {2}- three\n.*methods: \{ one: \{\} \}/s,
      ),
    });
  });

  test("are tools once they are named, and nothing once they are left out", async () => {
    const kit = toolkit(doubtful, { methods: { one: {}, two: { name: "second" }, three: false } });
    expect(await namesOf(kit)).toEqual(["pay", "one", "second"]);
  });

  test("are tools of a plain object, which has no private ones", async () => {
    expect(await namesOf(toolkit({ one: method("one", {}) }))).toEqual(["one"]);
  });
});

describe("the options of a toolkit", () => {
  const kit = (): object => instanceOf({ pay: method("pay"), add: method("add") });

  test("that are a limit are one limit for all methods", async () => {
    const [pay, add] = await toolkit(kit(), { concurrency: 2 }).tools(scope);
    expect(pay?.policy).toEqual({ concurrency: { limit: 2 } });
    expect(pay?.policy.concurrency).toBe(add?.policy.concurrency);
  });

  test("stand behind those of a method, name and namespace included", async () => {
    const tools = await toolkit(kit(), {
      namespace: "bank",
      tags: ["money"],
      methods: { pay: { name: "send", namespace: "x", timeout: 5, description: "Sends." } },
    }).tools(scope);
    expect(tools.map(({ name }) => name)).toEqual(["x_send", "bank_add"]);
    expect(tools[0]).toMatchObject({
      description: "Sends.",
      policy: { timeout: 5 },
      annotations: { tags: ["money"] },
    });
  });

  test("of a method are there, or left out: undefined is a mistake", () => {
    expect(() => toolkit(kit(), { methods: { pay: undefined } } as never)).toThrow(
      expect.objectContaining({
        code: "invalid-option",
        message: "The options of pay of toolkit(Kit) are undefined. Leave them out, or write {}.",
      }),
    );
    expect(() => toolkit(kit(), { methods: { pay: { timeot: 5 } } } as never)).toThrow(
      'pay of toolkit(Kit) has no option "timeot"',
    );
  });
});

test("the tools are found once, and a failure is not remembered", async () => {
  const kit = toolkit(instanceOf({ pay: method("pay") }));
  expect(kit.tools(scope)).toBe(kit.tools(scope));
  const failing = toolkit(instanceOf({ one: method("one", {}) }));
  const first = failing.tools(scope);
  await expect(first).rejects.toThrow("Cannot determine");
  const second = failing.tools(scope);
  expect(second).not.toBe(first);
  await expect(second).rejects.toThrow("Cannot determine");
});

describe("closing a toolkit", () => {
  test("disposes of its instance as that says, asynchronously where it can", async () => {
    const log: string[] = [];
    const both = Object.assign(instanceOf({ pay: method("pay") }), {
      [Symbol.dispose]: () => void log.push("now"),
      [Symbol.asyncDispose]: async () => void log.push("later"),
    });
    await toolkit(both).close?.();
    expect(log).toEqual(["later"]);
    const one = Object.assign(instanceOf({ pay: method("pay") }), {
      [Symbol.dispose]: () => void log.push("now"),
    });
    await toolkit(one).close?.();
    expect(log).toEqual(["later", "now"]);
    await expect(toolkit(instanceOf({ pay: method("pay") })).close?.()).resolves.toBeUndefined();
  });
});
