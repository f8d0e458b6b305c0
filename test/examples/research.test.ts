import { run } from "skein";
import { expect, test } from "vitest";
import { researcher } from "../../examples/research/agent.ts";
import { linkOf, serveLibrary } from "../../examples/research/stand-in.ts";
import { startProvider, toolNames, told } from "./chat-provider.ts";
import { expectTranscript } from "./transcript.ts";

test("the README's transcript is a real one", async () => {
  const { options, close } = await serveLibrary(["tavily"]);
  await expectTranscript("research", researcher(options));
  close();
});

test("over the wire: three searches at once, a report, and what is wrong with it", async () => {
  const { options, close } = await serveLibrary();
  const [paper, invented] = [linkOf("arxiv", "2001.00008v1"), "https://arxiv.org/abs/9999.99999"];
  const report = (source: string) => ({
    title: "Geese",
    summary: "They fly high.",
    findings: [{ statement: "Their metabolism is low in thin air.", sources: [source] }],
    gaps: [],
  });
  const provider = await startProvider([
    [
      { tool: "arxiv_search", arguments: { query: "geese" } },
      { tool: "wikipedia_search", arguments: { query: "goose" } },
      { tool: "tavily_search", arguments: { query: "geese" } },
    ],
    [{ tool: "final_answer", arguments: report(invented) }],
    [{ tool: "final_answer", arguments: report(paper) }],
  ]);
  const { output } = await run(researcher(options), "How high do geese fly?", { model: provider.model });
  await provider.close();
  close();

  expect(output).toEqual(report(paper));
  const [first, second, third] = provider.requests;
  expect(first?.parallel_tool_calls).toBe(true);
  expect(first && toolNames(first)).toEqual([
    "arxiv_search",
    "wikipedia_search",
    "wikipedia_summary",
    "tavily_search",
    "final_answer",
  ]);
  expect(first?.tools?.at(-1)).toMatchObject({
    function: {
      parameters: {
        type: "object",
        properties: {
          findings: { items: { properties: { sources: { items: { type: "string" }, minItems: 1 } } } },
        },
        required: ["title", "summary"],
      },
    },
  });
  expect(second && told(second).slice(3)).toEqual([
    ["tool", expect.stringContaining(paper)],
    ["tool", expect.stringContaining(linkOf("wikipedia", "Bar-headed_goose"))],
    ["tool", expect.stringContaining(linkOf("tavily", "geese-arrive"))],
  ]);
  expect(third && told(third).at(-1)).toEqual([
    "tool",
    expect.stringContaining("no tool returned this link"),
  ]);
});
