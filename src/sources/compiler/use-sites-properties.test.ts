/** What builds attach to functions in the properties of a toolkit's instance. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { openUseSites, type UseSites } from "./test-use-sites.ts";

const seen = [
  "class Kit { logger: (text: string) => void = () => {}; }; const kit = new Kit();",
  "class Kit { open: (door: string) => string; constructor(open: (door: string) => string) { this.open = open; } }; const kit = new Kit(String);",
  "class Kit { constructor(public open: (door: string) => string) {} }; const kit = new Kit(String);",
  "class Kit { constructor(readonly open: (door: string) => string, private shut: (door: string) => string) {} }; const kit = new Kit(String, String);",
];
const untyped = "class Kit { open: any = (door: string) => door; }; const kit = new Kit();";
const empty = "class Kit { size = 1; }; const kit = new Kit();";
let sites: UseSites;

beforeAll(async () => {
  sites = await openUseSites(
    {},
    [...seen, untyped, empty],
    (kit) => `import { toolkit } from "skein";\n${kit}\nexport const tools = toolkit(kit);`,
  );
});

afterAll(() => sites.close());

test.for(seen)("the type of the property counts: %s", (kit) => {
  expect(sites.describe(kit)).toEqual({ kinds: ["property"], problems: "" });
});

test("an instance with nothing but members of any type is a problem, and one without functions is none", () => {
  expect(sites.describe(untyped)).toEqual({
    kinds: [],
    problems: expect.stringMatching(
      /:3: no schema can be attached to kit: the type of its member "open" is any: write the function's type$/,
    ),
  });
  expect(sites.describe(empty).problems).toBe("");
});
