import { expect, test } from "vitest";
import { isAgent, markAgent, toolAgentOf, withToolAgent } from "./agent-like.ts";

const agent = { name: "A" };
markAgent(agent);

test("an agent is what was marked as one, and no copy of it", () => {
  expect(isAgent(agent)).toBe(true);
  for (const value of [{ name: "A" }, { ...agent }, undefined, null, "A", () => agent])
    expect(isAgent(value)).toBe(false);
});

test("a tool and its copies know the agent that the tool runs", () => {
  const plain = { name: "ask" };
  const tool = withToolAgent(plain, agent);
  expect([toolAgentOf(tool), toolAgentOf({ ...tool, name: "other" }), toolAgentOf(plain)]).toEqual([
    agent,
    agent,
    undefined,
  ]);
  expect(tool.name).toBe("ask");
  expect(toolAgentOf(withToolAgent(plain, { name: "no agent" }))).toBeUndefined();
});
