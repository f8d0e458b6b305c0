import { afterAll, beforeAll, expect, test } from "vitest";
import { openUseSites, type UseSites } from "./test-use-sites.ts";

const inherited =
  "class Users extends Repo<User> {} class Orders extends Repo<Order> {} void [toolkit(new Users()), toolkit(new Orders())];";
const overridden =
  "class Users extends Repo<User> { override add(item: User) { return super.add(item); } } " +
  "class Orders extends Repo<Order> { override add(item: Order) { return super.add(item); } } " +
  "void [toolkit(new Users()), toolkit(new Orders())];";
const alike = "void [toolkit(new Repo<User>()), toolkit(new Repo<User>())];";
const bound = "const repo = new Repo<User>(); void [schemaOf(plain), schemaOf(plain)]; toolkit(repo);";
let sites: UseSites;

beforeAll(async () => {
  sites = await openUseSites(
    {},
    [inherited, overridden, alike, bound],
    (text) => `import { schemaOf, toolkit } from "skein";
interface User { name: string }
interface Order { total: number }
class Repo<T> { items: T[] = []; add(item: T) { return this.items.push(item); } }
export function plain(city: string) { return city; }
${text}
void schemaOf;`,
  );
});

afterAll(() => sites.close());

test("a method of a generic class with two types is refused, and why, with both places", () => {
  const { problems } = sites.describe(inherited);
  expect(problems).toMatch(
    /:6: no schema can be attached to add: it is used with several types, here and at .*:6/,
  );
  expect(problems).toContain("override add(item: Item) { return super.add(item); }");
});

test.for([overridden, alike, bound])("its remedy works, and what is used alike is fine: %s", (text) => {
  const { kinds, problems } = sites.describe(text);
  expect(problems).toBe("");
  expect(kinds).toEqual(expect.arrayContaining(["property"]));
});
