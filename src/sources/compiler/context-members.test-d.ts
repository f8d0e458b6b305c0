import { expectTypeOf, test } from "vitest";
import type { ToolContext } from "../../index.ts";
import type { contextMembers } from "./context-members.ts";

test("all members of a context are listed", () => {
  expectTypeOf<(typeof contextMembers)[number]>().toEqualTypeOf<Exclude<keyof ToolContext, symbol>>();
});
