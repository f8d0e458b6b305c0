import { Agent, run } from "skein";
import { guard } from "skein/guards";
import { ScriptedModel } from "skein/testing";
import { expect, test } from "vitest";
import { openData } from "./data.ts";

test("a run that a guard blocks is shown with the guard and the reason, and without the answer", async () => {
  const middleware = [guard({ output: () => "it is bad" }, { name: "manners", hold: true })];
  const agent = new Agent({ name: "A", model: new ScriptedModel(["A bad answer."]), middleware });
  const page = await openData([agent]);
  await run(agent, "go", { runId: "r" });
  const detail = await page.run("r");
  expect(detail).toMatchObject({
    status: "blocked",
    error: 'The guard "manners" blocked the run (output): it is bad',
  });
  expect(JSON.stringify(detail)).not.toContain("A bad answer");
});
