import { createContext, runInContext } from "node:vm";
import { describe, expect, test } from "vitest";
import {
  Agent,
  ConfigurationError,
  run,
  tool,
  toolkit,
  ToolRegistry,
  toolset,
  type Tool,
  type ToolPolicy,
} from "skein";
import { ScriptedModel } from "skein/testing";

const paid: number[] = [];

class Desk {
  pay(amount: number): string {
    paid.push(amount);
    return "paid";
  }
}

const definition = {
  name: "pay",
  input: { type: "object", properties: { amount: { type: "number" } } },
  execute: (): string => "paid",
};
const pay = (amount: number): string => `paid ${amount}`;
const complete: Tool = tool(definition);

class WithGetter {
  readonly timeout = 5_000;
  get approval(): boolean {
    return true;
  }
}
class WithMethods {
  approval(): boolean {
    return true;
  }
  allow(): boolean {
    return false;
  }
}

/** Options whose guard is not a property of their own that can be listed. */
const overlooked: readonly (readonly [string, () => object, RegExp])[] = [
  ["the getter of a class", () => new WithGetter(), /an instance of WithGetter/],
  ["the methods of a class", () => new WithMethods(), /an instance of WithMethods/],
  ["what a prototype has", () => Object.create({ approval: true }), /an object with a prototype/],
  [
    "what a prototype without one has",
    () => Object.create(Object.assign(Object.create(null), { approval: true })),
    /an object with a prototype/,
  ],
  [
    "what is not enumerable",
    () => Object.defineProperty({}, "approval", { value: true }),
    /The option "approval" of .* is not enumerable/,
  ],
  ["a function", () => Object.assign(() => true, { approval: true }), /a function/],
  ["a list", () => [], /a list/],
];

/** The places that take guards. */
const places: readonly (readonly [string, (guards: object) => unknown])[] = [
  ["tool(fn, options)", (guards) => tool(pay, guards)],
  ["toolkit(x, options)", (guards) => toolkit(new Desk(), guards)],
  ["methods of a toolkit", (guards) => toolkit(new Desk(), { methods: { pay: guards } })],
  ["registry.tool(fn, options)", (guards) => new ToolRegistry().tool(pay, guards)],
  ["toolset.withPolicy(policy)", (guards) => toolset([pay]).withPolicy(guards)],
  [
    "the policy of a complete tool in a list",
    (guards) => new Agent({ name: "A", tools: [{ ...complete, policy: guards }] }),
  ],
  [
    "the policy of a complete tool in a record",
    (guards) => new Agent({ name: "A", tools: { settle: { ...complete, policy: guards } } }),
  ],
];

describe.each(places)("%s", (_, take) => {
  test.each(overlooked)("refuses guards that would be ignored: %s", (_, guards, message) => {
    expect(() => take(guards())).toThrow(ConfigurationError);
    expect(() => take(guards())).toThrow(message);
  });

  test("refuses a guard that is misspelled, or undefined", () => {
    expect(() => take({ aproval: true })).toThrow(/has no option "aproval"\. Did you mean "approval"\?/);
    expect(() => take({ approval: undefined })).toThrow(/approval of .* is undefined/);
  });

  test("takes object literals: without a prototype, of another realm, of a module", async () => {
    const foreign: object = runInContext("({ approval: true })", createContext());
    const module: object = await import("../tool/fixtures/guards.ts");
    for (const guards of [Object.assign(Object.create(null), { approval: true }), foreign, module]) {
      expect(() => take(guards)).not.toThrow();
    }
  });
});

test("a definition that is an instance of a class is refused", () => {
  class Payment extends WithGetter {
    readonly name = "pay";
    readonly input = definition.input;
    readonly execute = definition.execute;
  }
  expect(() => tool(new Payment())).toThrow(
    "The options of the tool pay are an instance of Payment, of which only own properties would count. Write an object literal: { ... }.",
  );
});

test("methods of a toolkit are own properties, and none is undefined", () => {
  const inherited: object = Object.create({ pay: { approval: true } });
  expect(() => toolkit(new Desk(), { methods: Object.create(inherited) })).toThrow(
    /The options of methods of toolkit\(Desk\) are an object with a prototype/,
  );
  const guards: Readonly<Record<string, object>> = {};
  const methods: object = { pay: guards["pay"] };
  expect(() => toolkit(new Desk(), { methods: { ...methods } })).toThrow(
    "The options of pay of toolkit(Desk) are undefined. Leave them out, or write {}.",
  );
});

test("a getter is read once: what was checked is what holds", async () => {
  let reads = 0;
  const guards: ToolPolicy = {
    get approval() {
      return ++reads === 1;
    },
  };
  const model = new ScriptedModel([{ toolCalls: [{ toolName: "pay", arguments: { amount: 5 } }] }, "Done."]);
  const { status } = await run(new Agent({ name: "A", model, tools: [toolkit(new Desk(), guards)] }), "Pay");
  expect([status, paid, reads]).toEqual(["paused", [], 1]);
});

test("the policies of a toolset's tools are checked before they are used", async () => {
  const policy: object = { approval: undefined };
  const kit = { name: "kit", tools: (): readonly Tool[] => [{ ...complete, policy }] };
  const model = new ScriptedModel([{ toolCalls: [{ toolName: "pay", arguments: {} }] }, "Done."]);
  await expect(run(new Agent({ name: "A", model, tools: [kit] }), "Pay")).rejects.toThrow(
    "approval of the policy of the tool pay is undefined, which would let every call through.",
  );
});

test("options of agents and runs are literals, too", async () => {
  class Options {
    readonly name = "A";
    get tools(): readonly Tool[] {
      return [complete];
    }
  }
  expect(() => new Agent(new Options())).toThrow(/The options of the agent A are an instance of Options/);
  const agent = new Agent({ name: "A", model: new ScriptedModel(["Done."]) });
  expect(() => agent.with(new Options())).toThrow(
    /The options of agent\.with\(.*\) are an instance of Options/,
  );
  class RunOptions {
    get stateSecret(): string {
      return "secret";
    }
  }
  await expect(run(agent, "Hello", new RunOptions())).rejects.toThrow(
    /The options of run\(\) are an instance of RunOptions/,
  );
});
