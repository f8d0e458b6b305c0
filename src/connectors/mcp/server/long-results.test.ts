/** Results longer than a history may have: a client gets all of the structured content, or none and a note. Never is it called a failure. */
import { describe, expect, test } from "vitest";
import { Agent, run } from "../../../index.ts";
import { tool } from "../../../tool/define.ts";
import type { ToolPolicy } from "../../../tool/policy.ts";
import { ScriptedModel } from "../../../testing/scripted-model.ts";
import { mcp } from "../index.ts";
import { connected, revisions, served } from "./test-clients.ts";

const input = { type: "object" } as const;
const output = {
  type: "object",
  properties: { text: { type: "string" }, receipt: { type: "string" } },
  required: ["text", "receipt"],
} as const;
const report = { text: "x".repeat(2_000_000), receipt: "r-7" };

describe.each(revisions)("revision %s", (revision) => {
  test("structured content is whole, though the text is cut", async () => {
    const send = tool({ name: "send", input, output, execute: () => report });
    const { url } = await served({ tools: [send] });
    const { client } = await connected(url, revision);
    await client.listTools();
    const result = await client.callTool({ name: "send", arguments: {} });
    expect(result.isError ?? false).toBe(false);
    expect(result.structuredContent).toEqual(report);
    expect(JSON.stringify(result.content).length).toBeLessThan(1_100_000);
    expect(result.content).toContainEqual({
      type: "text",
      text: expect.stringContaining("left out from $.text on"),
    });
  });

  test.each<[ToolPolicy["mask"], typeof output | undefined]>([
    [["text"], undefined],
    [true, undefined],
    [["text"], output],
    [true, output],
  ])("what mask %j hides of it is not sent, with the output schema %j", async (mask = false, schema) => {
    const send = tool({
      name: "send",
      input,
      ...(schema && { output: schema }),
      mask,
      execute: () => report,
    });
    const { url } = await served({ tools: [send] });
    const { client } = await connected(url, revision);
    await client.listTools();
    const result = await client.callTool({ name: "send", arguments: {} });
    expect(result.isError ?? false).toBe(false);
    expect(JSON.stringify(result)).toContain("[hidden]");
    expect(JSON.stringify(result)).not.toContain("xxx");
  });

  test.each([["with an output schema"], ["without"]])(
    "what is remembered for equal calls is whole, too: %s",
    async (kind) => {
      let made = 0;
      const send = tool({
        name: "send",
        input,
        ...(kind === "with an output schema" && { output }),
        execute: () => {
          made++;
          return report;
        },
        cache: { scope: "shared" },
      });
      const { url } = await served({ tools: [send] });
      const { client } = await connected(url, revision);
      for (let call = 0; call < 2; call++) {
        const result = await client.callTool({ name: "send", arguments: {} });
        expect(result.isError ?? false).toBe(false);
        expect(result.structuredContent).toEqual(report);
      }
      expect(made).toBe(1);
    },
  );

  test("what is too long to be sent as it is has its beginning alone, and a note", async () => {
    const send = tool({ name: "send", input, execute: () => ({ text: "x".repeat(70_000_000) }) });
    const { url } = await served({ tools: [send] });
    const { client } = await connected(url, revision);
    const result = await client.callTool({ name: "send", arguments: {} });
    expect(result.isError ?? false).toBe(false);
    expect(result).not.toHaveProperty("structuredContent");
    expect(result.content).toContainEqual({
      type: "text",
      text: "Note: the result is too long to be structured content.",
    });
  });
});

test("an agent reads the result of a tool that is served as that of its own", async () => {
  const send = tool({ name: "send", input, output, execute: () => report });
  const { url } = await served({ tools: [send] });
  const client = mcp({ name: "reports", url });
  const model = new ScriptedModel([{ toolCalls: [{ toolName: "send" }] }, "Done."]);
  const { messages } = await run(new Agent({ name: "A", model, tools: [client] }), "Send it.");
  await client.close();
  const results = messages.flatMap((message) => (message.role === "tool" ? [message.result] : []));
  expect(results).toMatchObject([{ outcome: "success" }]);
});
