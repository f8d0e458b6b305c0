/** A state names the tools that its calls are for. */
import { Agent, run, type SessionData, type Toolset } from "skein";
import { memorySession } from "skein/sessions";
import { describe, expect, test } from "vitest";
import { calls, decide, effects, plain } from "./test-nested.ts";
import { files, mail, remove } from "./test-toolsets.ts";

describe("a state", () => {
  const agentOf = (...tools: readonly Toolset[]): Agent =>
    new Agent({ name: "Boss", model: calls("remove"), tools });

  test("without names has calls of the agent's own tools: a set's tool of the name is not executed", async () => {
    const { toolNames, ...paused } = plain(
      (await run(new Agent({ name: "Boss", model: calls("remove"), tools: [remove("files")] }), "go")).state,
    );
    expect(toolNames).toBeUndefined();
    const approvals = paused.pending.map(({ approvalId = "" }) => ({
      approvalId,
      decision: "approve" as const,
    }));
    const done = await run(agentOf(files(), mail()), paused, { approvals });
    expect([done.status, effects]).toEqual(["completed", []]);
    expect(done.messages[0]).toMatchObject({ result: { outcome: "unknown-tool" } });
  });

  test.each([
    ["without its names", undefined],
    ["with the names of another tool", [{ agent: "Boss", toolName: "remove", origin: ["mail", "remove"] }]],
    ["with a name of no toolset", [{ agent: "Boss", toolName: "remove", origin: [] }]],
  ])("%s is refused with an approval of its call", async (_title, toolNames) => {
    const paused = await run(agentOf(files(), mail()), "go");
    const { toolNames: names, ...state } = plain(paused.state);
    expect(names).toEqual([{ agent: "Boss", toolName: "remove", origin: ["files", "remove"] }]);
    const changed = { ...state, ...(toolNames && { toolNames }) };
    await expect(run(agentOf(mail(), files()), changed, { approvals: decide(paused) })).rejects.toThrow(
      'The call "id_0" of remove has changed since approval was requested.',
    );
    expect(effects).toEqual([]);
  });

  test.each([{}, [1], [{ agent: "Boss", toolName: "remove", origin: "files" }]])(
    "with damaged names is refused: %j",
    async (toolNames) => {
      const paused = await run(agentOf(files()), "go");
      const state = JSON.parse(JSON.stringify({ ...paused.state, toolNames }));
      await expect(run(agentOf(files()), state)).rejects.toThrow(/^The state's toolNames.* must be /);
    },
  );

  test("of a run without toolsets has no names", async () => {
    const agent = new Agent({ name: "Boss", model: calls("remove"), tools: [remove("files", {})] });
    expect((await run(agent, "go")).state).not.toHaveProperty("toolNames");
  });
});

test("a session with damaged names cannot be read", async () => {
  const session = memorySession();
  const agentOf = (): Agent => new Agent({ name: "Boss", model: calls("remove"), tools: [files()] });
  await run(agentOf(), "go", { session });
  const { entries } = await session.load();
  const damaged = entries.map((entry) => (entry.type === "state" ? { ...entry, toolNames: [{}] } : entry));
  const load = async (): Promise<SessionData> => ({ entries: JSON.parse(JSON.stringify(damaged)) });
  await expect(run(agentOf(), [], { session: { ...session, load } })).rejects.toThrow(
    "The session cannot be read: its entry 2 is invalid: toolNames[0].agent must be a text, not undefined.",
  );
});
