/** A tool can bring a text for the instructions of those who have it. */
import { Agent, run, tool, toolset, type Tool } from "skein";
import { ScriptedModel } from "skein/testing";
import { expect, test } from "vitest";

const empty = { type: "object", properties: {} } as const;
const bringing = (name: string, instructions: string, options: object = {}): Tool => ({
  ...tool({ ...options, name, input: empty, execute: () => "done" }),
  instructions,
});

async function instructionsOf(
  options: Partial<ConstructorParameters<typeof Agent>[0]>,
): Promise<string | undefined> {
  const model = new ScriptedModel(["Done."]);
  await run(new Agent({ name: "A", model, ...options }), "Go.", { context: { role: "guest" } });
  return model.requests[0]?.instructions;
}

test("they stand below the agent's own, in the order of the tools", async () => {
  const tools = [bringing("b", "Use b first."), tool({ name: "x", input: empty }), bringing("a", "Then a.")];
  expect(await instructionsOf({ instructions: "Be brief.", tools })).toBe(
    "Be brief.\n\nUse b first.\n\nThen a.",
  );
  expect(await instructionsOf({ instructions: () => "Be brief.", tools })).toMatch(/^Be brief\.\n\nUse b/);
  expect(await instructionsOf({ tools })).toBe("Use b first.\n\nThen a.");
  expect(await instructionsOf({ instructions: "", tools })).toBe("Use b first.\n\nThen a.");
  expect(await instructionsOf({ instructions: "Be brief." })).toBe("Be brief.");
  expect(await instructionsOf({})).toBe(undefined);
});

test("they come with the tool: through sets, for those who may use it, while models see it", async () => {
  const set = toolset([bringing("a", "About a."), bringing("b", "About b.")], "s");
  expect(await instructionsOf({ tools: [set.prefixed("p").withTimeout(5).filtered(["p_b"])] })).toBe(
    "About b.",
  );
  const refused = bringing("a", "About a.", { allow: () => false });
  expect(await instructionsOf({ tools: [refused, bringing("b", "About b.")] })).toBe("About b.");
  expect(await instructionsOf({ tools: [bringing("a", "About a.", { callers: "tools" })] })).toBe(undefined);
  const old = bringing("old", "About old.", { deprecated: { use: "b" } });
  expect(await instructionsOf({ tools: [old, bringing("b", "About b.")] })).toBe("About b.");
});

test("of agents that hand over, each has those of its own tools", async () => {
  const model = new ScriptedModel([{ toolCalls: [{ toolName: "transfer_to_b" }] }, "Done."]);
  const b = new Agent({ name: "B", instructions: "You are B.", tools: [bringing("b", "About b.")] });
  await run(new Agent({ name: "A", model, tools: [bringing("a", "About a.")], handoffs: [b] }), "Go.");
  expect(model.requests.map(({ instructions }) => instructions)).toEqual([
    "About a.",
    "You are B.\n\nAbout b.",
  ]);
});

test("anything but a text is an error that names the tool", async () => {
  const tools = [{ ...bringing("a", ""), instructions: 7 as never }];
  await expect(instructionsOf({ tools })).rejects.toMatchObject({
    code: "invalid-tool",
    message: expect.stringContaining('instructions of the tool "a" must be a text, not 7.'),
  });
});
