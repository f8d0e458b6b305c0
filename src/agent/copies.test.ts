import { expect, test, vi } from "vitest";
import { run, tool } from "../index.ts";
import { FunctionModel } from "../testing/index.ts";
import { Agent } from "./agent.ts";

/** Another copy of the class, as runners load one that require the package and what it imports later. */
async function otherCopy(): Promise<typeof Agent> {
  vi.resetModules();
  const { Agent: Other } = await import("./agent.ts");
  expect(Other).not.toBe(Agent);
  return Other;
}

const model = (): FunctionModel =>
  new FunctionModel(({ tools, messages }) =>
    messages.at(-1)?.role === "user" && tools?.[0]
      ? { toolCalls: [{ toolName: tools[0].name, arguments: {} }] }
      : "Done.",
  );

test("an agent of another copy of the package runs, and gets handed to", async () => {
  const Other = await otherCopy();
  const target = new Other({ name: "Target", instructions: "Answer." });
  const schema = { type: "object", properties: {} } as const;
  const handing = tool({ name: "hand_over", input: schema, execute: () => target });
  const { agent } = await run(new Agent({ name: "First", tools: [handing] }), "Go.", { model: model() });
  expect(agent).toBe(target);
});

test("reads the tool types of an agent from another copy of the package", async () => {
  const Other = await otherCopy();
  const logged =
    <A extends unknown[], R>(fn: (...args: A) => R) =>
    (...args: A): R =>
      fn(...args);
  const properties: unknown[] = [];
  const seeing = new FunctionModel(({ tools = [] }) => {
    properties.push(tools[0]?.inputSchema["properties"]);
    return "Done.";
  });
  await run(new Other({ name: "Other", tools: { weather: logged((city: string) => city) } }), "Go.", {
    model: seeing,
  });
  expect(properties).toEqual([{ city: { type: "string" } }]);
});

test("what only looks like an agent does not become active, and the run warns of it", async () => {
  const stranger = { name: "Stranger", [Symbol.for("skein.agent")]: true };
  const schema = { type: "object", properties: {} } as const;
  const handing = tool({ name: "hand_over", input: schema, execute: () => stranger });
  const { agent, warnings } = await run(new Agent({ name: "First", tools: [handing] }), "Go.", {
    model: model(),
  });
  expect(agent.name).toBe("First");
  expect(warnings.join()).toContain("the agent Stranger was made by another version of skein");
});
