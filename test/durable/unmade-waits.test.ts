/** What a tool has waited for, and does not come to any more in the next build, does not keep its run at work. */
import { tool } from "skein";
import { memoryStore } from "skein/durable";
import { expect, test } from "vitest";
import { approving, caller, noInput } from "./detached-desk.ts";
import { testRuns, until } from "./test-runs.ts";

const pay = tool({ name: "pay", input: noInput, approval: true, execute: () => "paid" });
const nap = tool({ name: "nap", input: noInput, execute: (_, { sleep }) => sleep("a while", 1_100) });
const sleeper = caller("Sleeper", [nap], [["nap", {}]]);
const clerk = caller("Clerk", [], []).with({ instructions: "Answer." });

test.each(["sleep", "sleep of an agent", "run of its own", "token"])(
  "one that has waited for a %s beside approvals",
  async (what) => {
    const via = (isOld: boolean) =>
      tool({
        name: "via",
        input: noInput,
        execute: async (_, { sleep, waitFor, runAgent, call }) => {
          const wait = (): Promise<unknown> => {
            if (what === "sleep") return sleep("a while", 1_100);
            if (what === "token") return waitFor("token", { timeout: 1_100 });
            if (what === "sleep of an agent") return runAgent(sleeper, "Go");
            return runAgent(clerk, "Go", { detached: true });
          };
          const [first] = await Promise.all([
            call("pay", {}),
            isOld && wait(),
            call("pay", { second: true }),
          ]);
          return first;
        },
      });
    const desk = (isOld: boolean) => caller("Desk", [via(isOld), pay], [["via", {}]]);
    const store = memoryStore();
    const first = testRuns(store, { agents: [desk(true), clerk], version: "1" });
    await (await first.start("Desk", "Go", { id: "r" })).state();
    const stop = new AbortController();
    const working = first.work({ signal: stop.signal });
    await until(async () => {
      const { pending, waitsForRuns = [] } = await first.get("r").state();
      // The run of its own may have ended by now.
      const least = what === "run of its own" ? 2 : 3;
      return pending.length + waitsForRuns.length >= least;
    });
    stop.abort();
    await working;
    const next = testRuns(store, { agents: [desk(false), clerk], version: "2" });
    const { pending } = await next.get("r").state();
    const [id = ""] = pending.flatMap(({ approvalId }) => approvalId ?? []);
    await next.get("r").decide(approving([id]));
    void next.work();
    await new Promise((resolve) => setTimeout(resolve, 2_000));
    const { attempts } = await store.read("r").then((run) => run ?? { attempts: -1 });
    expect(attempts).toBeLessThan(8);
    const rest = (await next.get("r").state()).pending.flatMap(({ approvalId }) => approvalId ?? []);
    await next.get("r").decide(approving(rest));
    await until(async () => (await next.get("r").state()).status === "completed");
  },
);
