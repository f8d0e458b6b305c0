import { afterAll, beforeAll, expect, test } from "vitest";
import { openUseSites, type UseSites } from "./test-use-sites.ts";

const methods = [
  "/** @private */ audit(id: string) { return id; }",
  "/** @protected */ audit(id: string) { return id; }",
  "/** Reads all. @private */ audit(id: string) { return id; }",
  "/**\n   * Reads all.\n   * @access protected\n   */\n  audit(id: string) { return id; }",
  "/** @private */ audit = (id: string) => id;",
  "/** @private */ audit(id: symbol) { return id; }",
];
const visible = "/** Audits the @private books. */ audit(id: string) { return id; }";
let sites: UseSites;

beforeAll(async () => {
  sites = await openUseSites(
    {},
    [...methods, visible],
    (method) => `import { toolkit } from "skein";
class Kit {
  /** Opens it. */
  open(): void {}
  ${method}
}
export const kit = toolkit(new Kit());`,
  );
});

afterAll(() => sites.close());

test.for(methods)("builds attach no parameters to a method that its comment hides: %s", (method) => {
  expect(sites.describe(method)).toEqual({ kinds: [], problems: "" });
});

test("a tag within a sentence hides nothing", () => {
  expect(sites.describe(visible)).toEqual({ kinds: ["property"], problems: "" });
});
