import { Agent, run, schemaOf, type ToolContext } from "skein";
import { ScriptedModel } from "skein/testing";
import type * as Vitest from "vitest";
import { getWeather } from "./tools.ts";

// Globals of Jest, which has the same ones.
declare const test: typeof Vitest.test;
declare const expect: typeof Vitest.expect;

/** Remove a guest. */
function removeGuest(caller: ToolContext<{ role: string }>, name: string): string {
  return `${caller.context.role} removed ${name}`;
}

test("an agent calls functions by the schemas of their types", async () => {
  const model = new ScriptedModel([
    {
      toolCalls: [
        { toolName: "removeGuest", arguments: { name: "Ann", caller: { context: { role: "admin" } } } },
      ],
    },
    { toolCalls: [{ toolName: "removeGuest", arguments: { name: "Ann" } }] },
    "Done.",
  ]);
  const agent = new Agent({ name: "Desk", model, tools: [removeGuest, getWeather] });
  const { messages, text } = await run(agent, "Remove Ann.", { context: { role: "guest" } });
  expect(text).toBe("Done.");
  expect(JSON.stringify(messages)).toContain("guest removed Ann");
  expect(JSON.stringify(messages)).not.toContain("admin removed Ann");
});

test("schemas are those of the types, also of another file", async () => {
  expect(await schemaOf(getWeather)).toEqual({
    name: "getWeather",
    description: "Get the weather of a city.",
    inputSchema: {
      type: "object",
      properties: {
        city: { type: "string" },
        unit: { type: "string", enum: ["celsius", "fahrenheit"], default: "celsius" },
        days: { type: "number", description: "How far ahead", minimum: 1 },
      },
      required: ["city"],
      additionalProperties: false,
    },
    outputSchema: { type: "string" },
  });
  expect((await schemaOf(removeGuest)).inputSchema).toMatchObject({
    properties: { name: { type: "string" } },
    required: ["name"],
  });
});
