/** Answers to a run whose agents are runs of their own: all of them or none, whatever fails meanwhile. */
import { memoryStore } from "skein/durable";
import { expect, test } from "vitest";
import { approvalsOf, approving, people, stores, waitingDesk } from "./detached-desk.ts";
import { dyingAtChange, withoutSeveral } from "./dying-store.ts";
import { testRuns, until } from "./test-runs.ts";

test.each(stores)("an answer that is refused has none of its parts taken %s", async (_, open) => {
  const paid: string[] = [];
  const { app, run, ids } = await waitingDesk(open(), paid);
  const [ada = "", , , dan = ""] = ids;
  const decisions = approving(ids);
  const refused = [
    { decisions: [...decisions, ...approving(["no-such-id"])] },
    { decisions: [...approving(["no-such-id"]), ...decisions] },
    { decisions, results: [{ toolCallId: "no-such-call", content: "x" }] },
    { decisions: [...decisions, ...approving([ada])] },
    { decisions: [...decisions, ...approving([dan])] },
  ];
  for (const answers of refused)
    await expect(run.answer(answers)).rejects.toMatchObject({ code: "invalid-input" });
  expect([...(await approvalsOf(run)).keys()].toSorted()).toEqual(people);
  await run.decide(ids.map((approvalId) => ({ approvalId, decision: "deny" })));
  void app.work();
  expect(await run.result({ until: "end" })).toMatchObject({ status: "completed" });
  expect(paid).toEqual([]);
});

const deaths = stores.flatMap(([name, open]) =>
  [false, true].flatMap((isAfter) =>
    [false, true].map((isRepeated) => ({ name, open, isAfter, isRepeated })),
  ),
);

test.each(deaths)(
  "an answer whose process dies at a write (after it: $isAfter) is there as a whole or not at all $name (repeated: $isRepeated)",
  async ({ open, isAfter, isRepeated }) => {
    for (let at = 1, isDead = true; isDead; at++) {
      const paid: string[] = [];
      const store = open();
      const { app, ids } = await waitingDesk(store, paid);
      const dying = dyingAtChange(store, { at, isAfter });
      const answers = { decisions: approving(ids) };
      const answering = testRuns(dying.store, { agents: [] }).get("r").answer(answers);
      await answering.catch(() => undefined);
      isDead = dying.isDead();
      const run = app.get("r");
      if (isRepeated) await run.answer(answers).catch(() => undefined);
      void app.work();
      const isWhole = isRepeated || at > 1 || isAfter || !isDead;
      const { status } = await run.result({ until: isWhole ? "end" : "pause" });
      expect([at, status]).toEqual([at, isWhole ? "completed" : "paused"]);
      expect(paid.toSorted()).toEqual(isWhole ? people : []);
    }
  },
);

test("what an interrupted answer has left is passed on, whatever fails meanwhile", async () => {
  for (let at = 1; ; at++) {
    const paid: string[] = [];
    const store = withoutSeveral(memoryStore());
    const { agent, ids } = await waitingDesk(store, paid);
    const interrupted = dyingAtChange(store, { at: 2, isAfter: false });
    await testRuns(interrupted.store, { agents: [] })
      .get("r")
      .answer({ decisions: approving(ids) });
    expect((await store.read("r"))?.data.outbox?.items).toHaveLength(2);
    const dying = dyingAtChange(store, { at, isAfter: false });
    const failing = testRuns(dying.store, { agents: [agent], lease: 200 });
    // The others begin after it: what fails is what passes them their parts.
    void failing.work({ concurrency: 1 });
    const isPassedOn = async () => (await store.read("r"))?.data.outbox === undefined;
    await until(async () => dying.isDead() || (await isPassedOn()));
    await failing.close({ drain: 0 });
    if (await isPassedOn()) return;
    const app = testRuns(store, { agents: [agent] });
    void app.work();
    expect(await app.get("r").result({ until: "end" })).toMatchObject({ status: "completed" });
    expect(paid.toSorted()).toEqual(people);
  }
});

test("an answer that was interrupted is not refused for what it has done before, and another one is", async () => {
  const paid: string[] = [];
  const store = withoutSeveral(memoryStore());
  const { run, ids } = await waitingDesk(store, paid);
  const answers = { decisions: approving(ids) };
  const dying = dyingAtChange(store, { at: 3, isAfter: false });
  await testRuns(dying.store, { agents: [] }).get("r").answer(answers);
  expect(dying.isDead()).toBe(true);
  await run.answer(answers);
  expect((await approvalsOf(run)).size).toBe(0);
  await expect(run.answer(answers)).rejects.toThrow("was approved before");
});
