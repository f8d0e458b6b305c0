/** An approved call goes to the tool that the person was shown, whatever takes its place while the call waits. */
import { describe, expect, test } from "vitest";
import {
  Agent,
  run,
  tool,
  ToolRegistry,
  type RunOptions,
  type RunResult,
  type Tool,
  type Toolset,
} from "skein";
import { memorySession } from "skein/sessions";
import { FunctionModel } from "skein/testing";
import { decide, effects, plain } from "./test-nested.ts";
import { set } from "./test-toolsets.ts";

const amounts = { type: "object", properties: { amount: { type: "number" } } } as const;

function pays(name: string, more: object = {}): Tool {
  return tool({
    name,
    input: amounts,
    ...more,
    execute: ({ amount }: { amount?: number }) => `${effects.push(`${name} ${amount}`)}`,
  });
}

const call = { toolCallId: "c1", toolName: "pay", arguments: '{"amount":5}' };
const lookUp = { toolCallId: "c0", toolName: "price", arguments: "{}" };
const price = tool({ name: "price", input: { type: "object", properties: {} }, execute: () => 5 });

type Sources = readonly (Tool | Toolset)[];
const places: readonly (readonly [string, (...tools: readonly Tool[]) => Sources])[] = [
  ["of a set", (...tools) => [set("bank", ...tools)]],
  ["of the program", (...tools) => tools],
  [
    "called by another tool",
    (...tools) => [
      ...tools,
      tool({
        name: "order",
        input: { type: "object", properties: {} },
        execute: async (_: object, context) => context.call("pay", { amount: 5 }),
      }),
    ],
  ],
];
const keepers: readonly (readonly [string, () => RunOptions])[] = [
  ["a state", () => ({})],
  ["a signed state", () => ({ stateSecret: "0123456789abcdef" })],
  ["a session", () => ({ session: memorySession() })],
];
const cases = places.flatMap(([place, toolsOf]) =>
  keepers.map(([keeper, optionsOf]) => [place, keeper, toolsOf, optionsOf] as const),
);

function agentWith(tools: Sources, toolCalls: readonly object[] = [call]): Agent {
  const isWithin = tools.some(({ name }) => name === "order");
  const calls = isWithin ? [{ ...call, toolName: "order", arguments: "{}" }] : toolCalls;
  const model = new FunctionModel(({ messages }) =>
    messages.some(({ role }) => role === "assistant") ? "Done." : { toolCalls: calls as never },
  );
  return new Agent({ name: "A", model, tools: [...tools] });
}

function resume(agent: Agent, paused: RunResult, options: RunOptions): Promise<RunResult> {
  return run(agent, options.session ? [] : plain(paused.state), { ...options, approvals: decide(paused) });
}

describe.each(cases)("a tool %s, with %s,", (_place, _keeper, toolsOf, optionsOf) => {
  const ask = { approval: true };
  const replaced = { ...ask, deprecated: { use: "pay_v2" } };

  test.each([{}, ask])(
    "that another one (%j) replaces while its call waits: that is not called, but asked for",
    async (policy) => {
      const options = optionsOf();
      const paused = await run(agentWith(toolsOf(pays("pay", ask), pays("pay_v2", policy))), "Go", options);
      expect(paused.pending).toMatchObject([{ toolName: "pay", input: { amount: 5 } }]);
      const next = agentWith(toolsOf(pays("pay", replaced), pays("pay_v2", policy)));
      const again = await resume(next, paused, options);
      expect(effects).toEqual([]);
      expect(again.pending).toMatchObject([{ toolName: "pay_v2", input: { amount: 5 } }]);
      expect((await resume(next, again, options)).status).toBe("completed");
      expect(effects).toEqual(["pay_v2 5"]);
    },
  );

  test("in place of a deprecated one, is shown by its name, and called as it was shown", async () => {
    const options = optionsOf();
    const agent = agentWith(toolsOf(pays("pay", replaced), pays("pay_v2", ask)));
    const paused = await run(agent, "Go", options);
    expect(paused.pending).toMatchObject([{ toolName: "pay_v2", input: { amount: 5 } }]);
    expect((await resume(agent, paused, options)).status).toBe("completed");
    expect(effects).toEqual(["pay_v2 5"]);
  });

  test.each<[string, object, object]>([
    ["is not deprecated any more", ask, ask],
    ["is not deprecated any more and needs no approval", {}, ask],
    ["another one has taken the place of by then", { ...replaced, deprecated: { use: "pay_v3" } }, ask],
  ])("in place of one that %s: neither is called, but that asked for", async (_change, policy, newest) => {
    const options = optionsOf();
    const paused = await run(agentWith(toolsOf(pays("pay", replaced), pays("pay_v2", ask))), "Go", options);
    const free = pays("pay_v3", { approval: () => false });
    const next = agentWith(toolsOf(pays("pay", policy), pays("pay_v2", newest), free));
    const again = await resume(next, paused, options);
    const asked = "deprecated" in policy ? "pay_v3" : "pay";
    expect([again.pending.map(({ toolName }) => toolName), effects]).toEqual([[asked], []]);
    expect((await resume(next, again, options)).status).toBe("completed");
    expect(effects).toEqual([`${asked} 5`]);
  });
});

describe.each(cases)("an approval of a call %s, with %s,", (place, _keeper, toolsOf, optionsOf) => {
  const first = pays("pay", { approval: true, version: "1.0" });

  test.each([
    ["another version", pays("pay", { approval: true, version: "2.0" })],
    ["another version that needs no approval", pays("pay", { version: "2.0" })],
    ["one without a version", pays("pay", { approval: true })],
  ])("is not for %s of the tool: a person decides again", async (_version, other) => {
    const options = optionsOf();
    const paused = await run(agentWith(toolsOf(first)), "Go", options);
    const next = agentWith(toolsOf(other));
    const again = await resume(next, paused, options);
    expect([again.status, effects]).toEqual(["paused", []]);
    expect(again.pending[0]?.approvalId).not.toBe(paused.pending[0]?.approvalId);
    expect((await resume(next, again, options)).status).toBe("completed");
    expect(effects).toEqual(["pay 5"]);
  });

  test("is for the version that was shown", async () => {
    const options = optionsOf();
    const agent = agentWith(toolsOf(first));
    const paused = await run(agent, "Go", options);
    expect((await resume(agent, paused, options)).status).toBe("completed");
    expect(effects).toEqual(["pay 5"]);
  });

  test.runIf(place === "of a set")("is not for a version of a tool that had none", async () => {
    const options = optionsOf();
    const paused = await run(agentWith(toolsOf(pays("pay", { approval: true }))), "Go", options);
    const again = await resume(agentWith(toolsOf(first)), paused, options);
    expect([again.status, effects]).toEqual(["paused", []]);
  });
});

test("a state from before a tool had a version is resumed", async () => {
  const paused = await run(agentWith([pays("pay", { approval: true })]), "Go");
  const next = agentWith([pays("pay", { approval: true, version: "1.0" })]);
  expect((await resume(next, paused, {})).status).toBe("completed");
  expect(effects).toEqual(["pay 5"]);
});

test("a call that a person was shown of a version of a registry is not another version's", async () => {
  const registry = new ToolRegistry().register(pays("pay", { approval: true, version: "1.0" }));
  const agent = agentWith([registry]);
  const paused = await run(agent, "Go");
  registry.register(pays("pay", { approval: true, version: "2.0" }));
  expect((await resume(agent, paused, {})).status).toBe("paused");
  expect(effects).toEqual([]);
});

test.each(keepers)(
  "a call of a replaced tool that refers to a result is called with what was shown, with %s",
  async (_, optionsOf) => {
    const options = optionsOf();
    const tools = [price, pays("pay", { deprecated: { use: "pay_v2" } }), pays("pay_v2", { approval: true })];
    const agent = agentWith(tools, [lookUp, { ...call, arguments: '{"amount":{"$result":"c0"}}' }]);
    const paused = await run(agent, "Go", options);
    expect(paused.pending).toMatchObject([{ toolName: "pay_v2", input: { amount: 5 } }]);
    expect((await resume(agent, paused, options)).status).toBe("completed");
    expect(effects).toEqual(["pay_v2 5"]);
  },
);

describe("where one of both has no execute", () => {
  const client = (name: string, more: object = {}): Tool => tool({ name, input: amounts, ...more });
  const use = (name: string) => ({ deprecated: { use: name } });
  const chains: readonly (readonly [string, readonly Tool[], string])[] = [
    [
      "the new one",
      [pays("pay", use("payInApp")), client("payInApp", { requires: ["price"] }), price],
      "payInApp",
    ],
    ["the old one", [client("pay", use("charge")), pays("charge", { approval: true })], "charge"],
    [
      "one between",
      [pays("pay", use("payInApp")), client("payInApp", use("charge")), pays("charge")],
      "charge",
    ],
  ];

  test.each(chains)("%s: neither is called, and the model reads the name to call", async (_, tools, name) => {
    for (const toolsOf of [tools, [set("bank", ...tools)]]) {
      const { status, messages, pending } = await run(agentWith(toolsOf), "Go");
      expect([status, pending, effects]).toEqual(["completed", [], []]);
      expect(JSON.stringify(messages)).toContain(`pay was not called: call ${name} instead.`);
    }
  });

  test("one that is deprecated and names no other is left to the program", async () => {
    const { pending } = await run(agentWith([client("pay", { deprecated: true })]), "Go");
    expect(pending).toMatchObject([{ toolName: "pay", input: { amount: 5 } }]);
  });
});
