/** How a client reads the ends of an agent that comes to no answer. */
import { expect, test } from "vitest";
import { Agent } from "../../../agent/agent.ts";
import { guard } from "../../../guards/index.ts";
import { FunctionModel } from "../../../testing/function-model.ts";
import { connectClient, newClient, served } from "./test-clients.ts";

async function tell(teller: Agent): Promise<{ readonly text: string; readonly isError: boolean }> {
  const { url } = await served({ agents: [teller] });
  const client = newClient("2025-11-25");
  await connectClient(client, url);
  const { content, isError = false } = await client.callTool({
    name: "teller",
    arguments: { input: "Tell me" },
  });
  return { text: JSON.stringify(content), isError };
}

test("an agent that comes to no answer is an error that says why", async () => {
  const model = new FunctionModel(() => ({ text: "and then", finishReason: "length" }));
  const { isError, text } = await tell(new Agent({ name: "Teller", model }));
  expect([isError, text]).toEqual([true, expect.stringContaining("ended without an answer (incomplete)")]);
});

test("the client of an agent that a guard blocks reads the guard's message, and not its reason", async () => {
  const shy = guard({ output: () => "It is secret." }, { message: "Please call." });
  const model = new FunctionModel(() => "secret");
  const { isError, text } = await tell(new Agent({ name: "Teller", model, middleware: [shy] }));
  expect([isError, text.includes("secret")]).toEqual([true, false]);
  expect(text).toContain("Please call.");
});
