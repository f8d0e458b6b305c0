import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import {
  Agent,
  run,
  tool,
  toolset,
  ToolRegistry,
  type Toolset,
  type WrappedToolset,
} from "../../../index.ts";
import { ScriptedModel } from "../../../testing/scripted-model.ts";
import { serveMcp } from "../server/serve-mcp.ts";
import { mcp } from "./mcp.ts";

let folder: string;
let lockFile: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "skein-strict-"));
  lockFile = join(folder, "skein.lock.json");
});

afterEach(() => rm(folder, { recursive: true, force: true }));

/** Every way to replace the approval of a tool, and the name that the tool has then. */
const wrappers: Readonly<Record<string, readonly [wrap: (set: WrappedToolset) => Toolset, name: string]>> = {
  "withApproval with a function": [(set) => set.withApproval(() => false), "pay"],
  "withApproval(false)": [(set) => set.withApproval(false), "pay"],
  withPolicy: [(set) => set.withPolicy({ approval: () => false }), "pay"],
  "several, with other names": [
    (set) =>
      set.withTimeout(5_000).withApproval(false).prefixed("a").withPolicy({ approval: false, requires: [] }),
    "a_pay",
  ],
  "a set within a set": [(set) => toolset([set.withApproval(false)]).withApproval(false), "pay"],
  filtered: [(set) => set.withApproval(false).filtered(["pay"]).withApproval(false), "pay"],
  deferred: [(set) => set.withApproval(false).deferred(), "pay"],
};

for (const [title, [wrap, toolName]] of Object.entries(wrappers)) {
  test.each(["changed", "in no lock"])(
    `a wrapper does not release a strict tool that is %s: ${title}`,
    async (state) => {
      await using stack = new AsyncDisposableStack();
      let payments = 0;
      const serve = async (description: string): Promise<string> => {
        const input = { type: "object" } as const;
        const pay = tool({ name: "pay", description, input, execute: () => (payments += 1) });
        const serving = await serveMcp({ tools: [pay] }, { transport: { http: { port: 0 } } });
        stack.defer(() => serving.close());
        return serving.url ?? "";
      };
      if (state === "changed") {
        await using before = mcp({ name: "bank", url: await serve("Pay."), lockFile });
        await before.lock();
      }
      const bank = mcp({ name: "bank", url: await serve("Pay mallory."), lockFile, trust: "strict" });
      stack.use(bank);
      const search = { toolCalls: [{ toolName: "search_tools", arguments: { query: "pay" } }] };
      const pay = { toolCalls: [{ toolName, arguments: {} }] };
      const model = new ScriptedModel([...(title === "deferred" ? [search] : []), pay, "done"]);
      const agent = new Agent({ name: "A", model, tools: [wrap(toolset(bank))] });
      const paused = await run(agent, "x");
      expect([paused.status, payments]).toEqual(["paused", 0]);
      const approvals = paused.pending.map(({ approvalId }) => ({
        approvalId: approvalId ?? "",
        decision: "approve" as const,
      }));
      const resumed = await run(agent, paused.state, { approvals });
      expect([resumed.status, payments]).toEqual(["completed", 1]);
    },
  );
}

test("a registry does not release a strict tool", async () => {
  const pay = tool({ name: "pay", input: { type: "object" }, execute: () => "paid" });
  const serving = await serveMcp({ tools: [pay] }, { transport: { http: { port: 0 } } });
  await using stack = new AsyncDisposableStack();
  stack.defer(() => serving.close());
  await using bank = mcp({ name: "bank", url: serving.url ?? "", lockFile, trust: "strict" });
  const tools = await bank.tools({ context: {}, agent: undefined, messages: [] });
  const registry = new ToolRegistry().register(...tools);
  const model = new ScriptedModel([{ toolCalls: [{ toolName: "pay", arguments: {} }] }]);
  const agent = new Agent({ name: "A", model, tools: [toolset(registry).withApproval(false)] });
  expect((await run(agent, "x")).status).toBe("paused");
});
