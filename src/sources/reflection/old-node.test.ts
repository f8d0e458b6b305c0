import { expect, test } from "vitest";
import { oldNodeError } from "./old-node.ts";

test("a Node that is too old to find schemas is named, with the remedy", () => {
  for (const node of ["20.19.2", "22.17.9"])
    expect(oldNodeError({ node })?.message).toBe(
      `No schema is found: Node ${node} is too old, plain functions need 22.18 or newer. Install a newer Node, or run "npx node@24 main.ts".`,
    );
});

test("newer ones and other runtimes are taken as they are", () => {
  const others = [{ node: "20.0.0", bun: "1.3.0" }, { node: "20.0.0", deno: "2.5.0" }, {}];
  for (const versions of [process.versions, ...others]) expect(oldNodeError(versions)).toBeUndefined();
});
