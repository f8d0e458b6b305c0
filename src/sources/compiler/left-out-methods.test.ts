import { afterAll, beforeAll, expect, test } from "vitest";
import { openUseSites, type UseSites } from "./test-use-sites.ts";

const leaving = [
  "toolkit(new Kit(), { methods: { on: false } })",
  'toolkit(new Kit() as Kit, { timeout: 5, methods: { "on": false, add: { timeout: 3 } } })',
  "skein.toolkit(kit, { methods: { on: false } as const })",
  "toolkit({ on: (heard: () => void) => heard(), add }, { methods: { on: false } })",
  "toolkit({ on(heard: () => void) { heard(); }, add }, { methods: { on: false } })",
  "toolkit({ on, add }, { methods: { on: false } })",
  "toolkit(record, { methods: { on: false } })",
];
const describing = [
  "toolkit(new Kit())",
  "toolkit(new Kit(), { methods: { on: {} } })",
  "toolkit(new Kit(), { methods: { on: false, ...more } })",
  "toolkit({ on, add })",
];
let sites: UseSites;

beforeAll(async () => {
  sites = await openUseSites(
    {},
    [...leaving, ...describing],
    (text) => `import * as skein from "skein";
const { toolkit } = skein;
class Kit { on(heard: () => void) { heard(); } add(a: number) { return a; } }
const kit = new Kit();
const on = (heard: () => void) => heard();
const add = (a: number) => a;
const record = { on, add };
const more = { on: { timeout: 3 } };
export const tools = ${text};
void [kit, record, more];`,
  );
});

afterAll(() => sites.close());

test.for(leaving)("a method that is left out is not described: %s", (text) => {
  expect(sites.describe(text)).toEqual({ kinds: ["property"], problems: "" });
});

test.for(describing)("any other is: %s", (text) => {
  expect(sites.describe(text).problems).toContain("a function is not JSON");
});
