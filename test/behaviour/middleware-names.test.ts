/** A middleware that goes by names sees the tool that a call goes to: an older name is no way around it. */
import { describe, expect, test } from "vitest";
import { Agent, run, tool, type Middleware, type RunOptions, type Tool, type ToolPolicy } from "skein";
import { memorySession } from "skein/sessions";
import { FunctionModel } from "skein/testing";
import { decide } from "./test-nested.ts";

const paths = { type: "object", properties: { path: { type: "string" } }, required: ["path"] } as const;

/** A tool that deletes, under its name and two that it had, a tool that calls it by the oldest, and what was deleted. */
function cleaner(toolName: string, policy: ToolPolicy<{ path: string }> = {}) {
  const deleted: string[] = [];
  const execute = ({ path }: { path: string }): string => `${deleted.push(path)}`;
  const named = (name: string, options: object): Tool => tool({ name, input: paths, execute, ...options });
  const tools = [
    named("deleteFile", policy),
    named("removeFile", { deprecated: { use: "deleteFile" } }),
    named("rm", { deprecated: { use: "removeFile" } }),
    tool({
      name: "tidy",
      input: paths,
      execute: ({ path }: { path: string }, { call }) => call("rm", { path }),
    }),
  ];
  const model = new FunctionModel(({ messages }) =>
    messages.at(-1)?.role === "tool" ? "Done." : { toolCalls: [{ toolName, arguments: { path: "a.txt" } }] },
  );
  return { agent: new Agent({ name: "Cleaner", model, tools }), deleted };
}

const called = ["deleteFile", "removeFile", "rm", "tidy"];

/** Notes the names of calls, and puts a folder in front of what is deleted. */
function inFolder(names: string[]): Middleware {
  return {
    tool(call, _info, next) {
      names.push(call.toolName);
      if (call.toolName !== "deleteFile") return next(call);
      return next({ ...call, arguments: '{"path":"trash/a.txt"}' });
    },
  };
}

describe.each(called)("called as %s", (toolName) => {
  test("a guard by name refuses the call", async () => {
    const { agent, deleted } = cleaner(toolName);
    const guard: Middleware = {
      tool(call, _info, next) {
        if (call.toolName.startsWith("delete")) throw new Error("nothing is deleted");
        return next(call);
      },
    };
    const { messages } = await run(agent, "tidy up", { middleware: [guard] });
    expect(deleted).toEqual([]);
    expect(JSON.stringify(messages)).toContain("nothing is deleted");
  });

  test("what a middleware makes of the call is what is executed", async () => {
    const { agent, deleted } = cleaner(toolName);
    const names: string[] = [];
    const { messages } = await run(agent, "tidy up", { middleware: [inFolder(names), inFolder([])] });
    expect(deleted).toEqual(["trash/a.txt"]);
    expect(names.at(-1)).toBe("deleteFile");
    // The history has what the model wrote.
    expect(messages[0]).toMatchObject({ toolCalls: [{ toolName }] });
    expect(messages[1]).toMatchObject({ result: { toolName, outcome: "success" } });
  });

  test.each<[string, () => RunOptions]>([
    ["a state", () => ({})],
    ["a session", () => ({ session: memorySession() })],
  ])("a call that waits for a person is executed once, from %s", async (_keeper, optionsOf) => {
    const { agent, deleted } = cleaner(toolName, { approval: true });
    const options = { ...optionsOf(), middleware: [inFolder([])] };
    const paused = await run(agent, "tidy up", options);
    expect(deleted).toEqual([]);
    const input = options.session ? [] : paused.state;
    const resumed = await run(agent, input, { ...options, approvals: decide(paused) });
    expect(resumed.status).toBe("completed");
    expect(deleted).toEqual(["trash/a.txt"]);
  });
});
