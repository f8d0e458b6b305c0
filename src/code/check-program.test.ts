/** The check of programs over several programs and tools; single programs are in `wrong-programs.test.ts` and `right-programs.test.ts`. */
import { expect, test, vi } from "vitest";
import { run } from "skein";
import { textsOf } from "./test-run.ts";
import { shopTool, shopTools } from "./test-shop.ts";

test("the same mistake again is one that the model made before, and the next program runs", async () => {
  const texts = await textsOf(
    [
      "return await tools.getUser({ ids: 1 });",
      "return await tools.getUser({ ids: 1 });",
      "return await tools['count-all']();",
    ],
    shopTools,
    {},
  );
  expect(texts[0]).not.toContain("You made this mistake before.");
  expect(texts[1]).toContain("You made this mistake before.");
  expect(texts[2]).toBe("3");
});

test("tools that come and go are checked as they are", async () => {
  const other = shopTool("other", { properties: {} }, { type: "string" }, "other");
  expect(await textsOf(["return await tools.other();"], [other], {})).toEqual(["other"]);
  expect((await textsOf(["return await tools.other();"], shopTools, {}))[0]).toContain(
    "Unknown tool 'other'",
  );
  expect(await textsOf(["return await tools.other();"], [other], {})).toEqual(["other"]);
});

test("without TypeScript, programs run unchecked, and one warning says it", async () => {
  vi.doMock("#reflection", () => ({ openProgramChecker: () => Promise.resolve(undefined) }));
  vi.resetModules();
  const fresh = await import("./test-run.ts");
  const agent = fresh.programmer(["return await tools.findUsers({ town: 1 });", "return 2;"], shopTools, {});
  const { warnings, messages } = await run(agent, "Go.");
  expect(warnings).toEqual([expect.stringContaining("Programs of skein/code run unchecked")]);
  expect(messages.filter(({ role }) => role === "tool")).toHaveLength(2);
  vi.doUnmock("#reflection");
});
