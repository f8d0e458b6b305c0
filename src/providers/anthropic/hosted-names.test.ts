import { expect, test } from "vitest";
import { Agent, run, tool } from "skein";
import { anthropic } from "skein/anthropic";

test("a tool with the name of one that Anthropic executes is refused before anything is sent", async () => {
  let requests = 0;
  const fetch = async (): Promise<Response> => {
    requests++;
    return new Response("{}", { status: 400 });
  };
  const model = anthropic("claude-sonnet-5-5", {
    apiKey: "a-key-for-tests",
    fetch,
    providerTools: [anthropic.tools.webSearch()],
  });
  const search = tool({ name: "web_search", input: { type: "object" }, execute: () => "mine" });
  await expect(run(new Agent({ name: "A", model, tools: [search] }), "Look.")).rejects.toMatchObject({
    code: "invalid-option",
    message: expect.stringContaining("The tool web_search has the name of a tool in providerTools."),
  });
  expect(requests).toBe(0);
});
