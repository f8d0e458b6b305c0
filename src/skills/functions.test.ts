import { symlink } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { Agent, type JsonObject, run } from "skein";
import { skills } from "skein/skills";
import { ScriptedModel } from "skein/testing";
import { describe, expect, test } from "vitest";
import { callTool, textOf } from "../sandbox/test-box.ts";
import { addFiles, folderOf, listing, skillText } from "./test-skills.ts";

const desk = fileURLToPath(new URL("fixtures/desk", import.meta.url));

describe("functions beside a SKILL.md", () => {
  test("are called with their checks, and answered with corrections", async () => {
    const set = skills(desk, { functions: true });
    const args = { name: "invoices", tool: "addVat", arguments: { net: "100", rate: 19 } };
    expect(textOf(await callTool(set, "call_skill_tool", args))).toBe("119.00");
    const wrong = await callTool(set, "call_skill_tool", { ...args, arguments: { net: 1, rate: 8 } });
    expect(textOf(wrong)).toContain("$.rate: expected 7 or 19, received 8");
    const unknown = await callTool(set, "call_skill_tool", { ...args, tool: "addTax" });
    expect(textOf(unknown)).toContain(
      'The skill invoices has no tool "addTax" here. Its tools: addVat, pay.',
    );
    const other = await callTool(set, "call_skill_tool", { ...args, name: "trips" });
    expect(textOf(other)).toContain('The skill trips has no tool "addVat" here. Its tools: none.');
  });

  test("cannot be called past the tool for them", async () => {
    const result = await callTool(skills(desk, { functions: true }), "invoices_addVat", { net: 1, rate: 7 });
    expect(result.isError).toBe(true);
  });

  test("wait for an approval, and are executed once there is one", async () => {
    const model = new ScriptedModel([
      {
        toolCalls: [
          {
            toolName: "call_skill_tool",
            arguments: { name: "invoices", tool: "pay", arguments: { number: "R7" } },
          },
        ],
      },
      "Paid.",
    ]);
    const agent = new Agent({ name: "Clerk", model, tools: [skills(desk, { functions: true })] });
    const paused = await run(agent, "Pay R7.");
    expect(paused.pending).toMatchObject([{ toolName: "invoices_pay", input: { number: "R7" } }]);
    const approvalId = paused.pending[0]?.approvalId ?? "";
    const { messages, text } = await run(agent, JSON.parse(JSON.stringify(paused.state)), {
      approvals: [{ approvalId, decision: "approve" }],
    });
    expect(JSON.stringify(messages)).toContain("R7 is paid");
    expect(text).toBe("Paid.");
  });

  /** A skill with these functions, called in turn by a model that says "Done." at last. */
  async function calling(
    functions: string,
    ...calls: readonly { readonly tool: string; readonly arguments: JsonObject }[]
  ) {
    const folder = await folderOf({
      "desk/SKILL.md": skillText("desk", "Does it."),
      "desk/tools.js": functions,
    });
    const turns = calls.map((call) => ({
      toolCalls: [{ toolName: "call_skill_tool", arguments: { name: "desk", ...call } }],
    }));
    const model = new ScriptedModel([...turns, "Done."]);
    return new Agent({ name: "Clerk", model, tools: [skills(folder, { functions: true })] });
  }

  const input = `{ type: "object", properties: { to: { type: "string" } }, required: ["to"] }`;

  test("tell the model what a person wrote in place of its arguments", async () => {
    const pay = `export const pay = tool({ name: "pay", approval: true, input: ${input}, execute: ({ to }) => "Paid " + to });`;
    const agent = await calling(`import { tool } from "skein";\n${pay}`, {
      tool: "pay",
      arguments: { to: "Ann" },
    });
    const paused = await run(agent, "Pay Ann.");
    const approvalId = paused.pending[0]?.approvalId ?? "";
    const { messages } = await run(agent, JSON.parse(JSON.stringify(paused.state)), {
      approvals: [{ approvalId, decision: "approve", arguments: { to: "Bob" } }],
    });
    const text = JSON.stringify(messages);
    expect(text).toContain("Paid Bob");
    expect(text).toContain("a person approved this call with other arguments");
  });

  test("end the run with a final result, and correct a model as often as it may be", async () => {
    const end = `export const end = tool({ name: "end", final: true, input: ${input}, execute: ({ to }) => "Bye " + to });`;
    const right = await calling(`import { tool } from "skein";\n${end}`, {
      tool: "end",
      arguments: { to: "Ann" },
    });
    expect(await run(right, "Go")).toMatchObject({ status: "completed", text: "Bye Ann" });
    const wrong = Array.from({ length: 9 }, () => ({ tool: "end", arguments: {} }));
    const { status, messages } = await run(
      await calling(`import { tool } from "skein";\n${end}`, ...wrong),
      "Go",
    );
    expect(status).toBe("corrections");
    expect(messages.find(({ role }) => role === "tool")).toMatchObject({
      result: { toolName: "call_skill_tool", outcome: "invalid-arguments" },
    });
  });

  test("require each other by the names that they have in the skill", async () => {
    const two = `export const look = tool({ name: "look", input: { type: "object" }, execute: () => "seen" });
export const refund = tool({ name: "refund", requires: ["look"], input: { type: "object" }, execute: () => "refunded" });`;
    const agent = await calling(
      `import { tool } from "skein";\n${two}`,
      { tool: "refund", arguments: {} },
      { tool: "look", arguments: {} },
      { tool: "refund", arguments: {} },
    );
    const { messages } = await run(agent, "Refund.");
    const results = messages.flatMap((each) => (each.role === "tool" ? [each.result] : []));
    expect(results.map(({ isError }) => isError)).toEqual([true, false, false]);
  });

  test("stay away where the program wants none, or the list of the skill lacks them", async () => {
    const listed = await skills(desk, { functions: false }).tools(listing());
    expect(listed.map(({ name }) => name)).toEqual(["load_skill", "read_skill_file"]);
    const text = textOf(
      await callTool(skills(desk, { functions: false }), "load_skill", { name: "invoices" }),
    );
    expect(text).toContain("read_skill_file: tools.ts, references/vat.md");
    const code =
      "/** @public Say hello. */\nexport function hello() { return 'hello'; }\nexport function bye() { return 'bye'; }\n";
    const folder = await folderOf({
      "one/SKILL.md": skillText("one", "One.", "allowed-tools: Read hello\n"),
      "one/tools.js": code,
      "two/SKILL.md": skillText("two", "Two.", "allowed-tools: Read\n"),
      "two/tools.js": code,
    });
    const set = skills(folder, { functions: true });
    expect(textOf(await callTool(set, "call_skill_tool", { name: "one", tool: "hello" }))).toBe("hello");
    expect(textOf(await callTool(set, "call_skill_tool", { name: "one", tool: "bye" }))).toContain(
      "Its tools: hello.",
    );
    expect(textOf(await callTool(set, "call_skill_tool", { name: "two", tool: "hello" }))).toContain(
      "Its tools: none.",
    );
  });

  test.each([
    [
      "two files",
      { "tools.js": "", "tools.mjs": "" },
      /^The skill one has tools\.js and tools\.mjs\. Leave one of them\.$/,
    ],
    [
      "a file that throws",
      { "tools.js": "throw new Error('no');" },
      /one\/tools\.js of the skill one cannot be loaded: no/,
    ],
    ["a file without functions", { "tools.js": "export const a = 1;" }, /exports no tools, only: a/],
  ])("%s: an error that names the file", async (_, files, message) => {
    const folder = await folderOf({ "one/SKILL.md": skillText("one", "One.") });
    await addFiles(join(folder, "one"), files);
    await expect(skills(folder, { functions: true }).tools(listing())).rejects.toMatchObject({
      code: "invalid-skill",
      message: expect.stringMatching(message),
    });
  });

  test("run only where the program allows it: a skill that has them is refused otherwise", async () => {
    const folder = await folderOf({
      "one/SKILL.md": skillText("one", "One."),
      "one/tools.js": "throw new Error('ran');",
    });
    await expect(skills(folder).tools(listing())).rejects.toMatchObject({
      code: "invalid-option",
      message: expect.stringContaining("{ functions: true }) if you would import it"),
    });
    expect(await skills(folder, { functions: false }).tools(listing())).toHaveLength(2);
  });

  test("a link to code elsewhere is not loaded", async () => {
    const folder = await folderOf({
      "code.js": "throw new Error('ran');",
      "one/SKILL.md": skillText("one", "One."),
    });
    await symlink("../code.js", join(folder, "one/tools.js"));
    expect(await skills(folder, { functions: true }).tools(listing())).toHaveLength(2);
  });
});
