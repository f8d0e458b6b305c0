/** Programs as models write them pass the check as they are, and come to what they say. */
import { expect, test } from "vitest";
import { textsOf } from "./test-run.ts";
import { shopTools } from "./test-shop.ts";

const nothing = "execute_typescript is done and returned nothing.";

const longest = `// Revenue per city, of paid orders alone.
interface CityRevenue {
  city: string;
  revenue: number;
  users: string[];
}

const users = await tools.findUsers({ city: "Oslo", limit: 50 });
if (users.length === 0) {
  return { error: "no users" };
}

const pages = await Promise.all(
  users.map(async (user) => {
    try {
      const { orders, next } = await tools.listOrders({ userId: user.id, filter: { states: ["paid"] } });
      return { user, orders, complete: next === null };
    } catch (error) {
      console.warn(\`Orders of \${user.name} failed: \${(error as Error).message}\`);
      return { user, orders: [], complete: false };
    }
  }),
);

const revenues = new Map<string, CityRevenue>();
for (const { user, orders } of pages) {
  const city = user.city ?? "unknown";
  const entry = revenues.get(city) ?? { city, revenue: 0, users: [] };
  entry.revenue += orders.filter((order) => order.state === "paid").reduce((sum, { total }) => sum + total, 0);
  entry.users.push(user.name);
  revenues.set(city, entry);
}

/* The best first. */
const ranking = [...revenues.values()].toSorted((a, b) => b.revenue - a.revenue || a.city.localeCompare(b.city));
return {
  ranking: ranking.map(({ city, revenue, users }) => ({ city, revenue: Math.round(revenue * 100) / 100, users: users.join(", ") })),
  complete: pages.every(({ complete }) => complete),
};`;

/** Programs, and what the model reads of each. */
const right: readonly (readonly [program: string, text: string])[] = [
  [
    "const users: { name: string }[] = await tools.findUsers({ city: 'Oslo', limit: 3 }); return users.length;",
    "2",
  ],
  ["return (await tools.getUser({ id: 1 }))?.name ?? 'none';", "Ada"],
  ["const u = await tools.getUser({ id: 1 }); if (!u) return; return u.city?.toUpperCase();", nothing],
  [
    "const all = []; for (const id of [1, 2]) all.push(await tools.getUser({ id })); return all;",
    '[{"id":1,"name":"Ada","city":null},{"id":1,"name":"Ada","city":null}]',
  ],
  [
    String.raw`async function one(id: number) { return tools.getUser({ id }); }
return (await one(1))!.name;`,
    "Ada",
  ],
  ["try { return await tools['count-all'](); } catch (error: any) { return error.message; }", "3"],
  [
    "const state = [true, false].map((open) => open ? 'open' as const : 'closed'); return state;",
    '["open","closed"]',
  ],
  [
    String.raw`interface Row { a: number }
type Rows = Row[];
const rows: Rows = [{ a: 1 }];
return rows satisfies Row[];`,
    '[{"a":1}]',
  ],
  [String.raw`const parsed: any = JSON.parse('{"a":{"b":1}}'); return parsed.a.b;`, "1"],
  ["return [new Date().getFullYear() > 2000, Math.round(1.5), 'a'.replaceAll('a', 'b')];", '[true,2,"b"]'],
  [
    "const counts = {}; for (const u of await tools.findUsers({ city: 'x' })) counts[u.name] = (counts[u.name] ?? 0) + 1; return counts;",
    '{"Ada":1,"Bob":1}',
  ],
  ["const pick = ({ id }) => id; return (await tools.findUsers({ city: 'x' })).map(pick);", "[1,2]"],
  [
    String.raw`const users = await tools.findUsers({ city: 'Oslo' });
const byCity = Object.groupBy(users, (u) => u.city ?? 'none');
return byCity;`,
    '{"none":[{"id":1,"name":"Ada","city":null}],"Oslo":[{"id":2,"name":"Bob","city":"Oslo"}]}',
  ],
  [
    String.raw`const users = await tools.findUsers({ city: 'Oslo' });
const byCity = Map.groupBy(users, (u) => u.city);
return [...byCity.keys()];`,
    '[null,"Oslo"]',
  ],
  [
    String.raw`const total: Record<string, number> = {};
for (const u of await tools.findUsers({ city: 'Oslo' })) total[u.name] = (total[u.name] || 0) + 1;
return total;`,
    '{"Ada":1,"Bob":1}',
  ],
  [
    String.raw`const groups = {};
for (const u of await tools.findUsers({ city: 'Oslo' })) { if (!groups[u.name]) groups[u.name] = []; groups[u.name].push(u); }
return groups;`,
    '{"Ada":[{"id":1,"name":"Ada","city":null}],"Bob":[{"id":2,"name":"Bob","city":"Oslo"}]}',
  ],
  [
    String.raw`const users = await tools.findUsers({ city: 'Oslo' });
const results = await Promise.allSettled(users.map((u) => tools.listOrders({ userId: u.id })));
return results.filter((r) => r.status === 'fulfilled').map((r) => r.value.orders.length);`,
    "[2,2]",
  ],
  [
    String.raw`const users = await tools.findUsers({ city: 'Oslo' });
const results = await Promise.allSettled(users.map((u) => tools.listOrders({ userId: u.id })));
const out = [];
for (const r of results) { if (r.status === 'rejected') out.push(r.reason.message); else out.push(r.value.next); }
return out;`,
    "[null,null]",
  ],
  [
    String.raw`async function* pages() { for (const userId of [1, 2]) yield await tools.listOrders({ userId }); }
let n = 0;
for await (const page of pages()) n += page.orders.length;
return n;`,
    "4",
  ],
  [
    String.raw`type Order = { id: number; total: number; state: 'paid' | 'open'; note?: string };
const all: Order[] = [];
for (const id of [1, 2]) { const { orders } = await tools.listOrders({ userId: id }); all.push(...orders); }
return all.length;`,
    "4",
  ],
  [
    String.raw`const sum = (xs: number[]): number => xs.reduce((a, b) => a + b, 0);
const { orders } = await tools.listOrders({ userId: 1 });
return sum(orders.map((o) => o.total));`,
    "140.5",
  ],
  [
    String.raw`function group<T, K extends string>(items: T[], key: (item: T) => K): Record<K, T[]> { const out = {} as Record<K, T[]>; for (const i of items) (out[key(i)] ??= []).push(i); return out; }
return group((await tools.listOrders({ userId: 1 })).orders, (o) => o.state);`,
    '{"paid":[{"id":7,"total":120.5,"state":"paid"}],"open":[{"id":8,"total":20,"state":"open","note":"late"}]}',
  ],
  [
    String.raw`const lookup = (await tools.lookUp({ word: 'a' })) as { items: string[] };
return lookup.items[0];`,
    String.raw`a

Types of what tools returned, which have none declared:
lookUp: { items: string[] }`,
  ],
  [
    String.raw`const lookup: any = await tools.lookUp({ word: 'a' });
return lookup.items.map((i) => i.toUpperCase());`,
    '["A"]',
  ],
  [
    String.raw`const r = await tools.lookUp({ word: 'a' });
if (r && typeof r === 'object' && 'items' in r && Array.isArray(r.items)) return r.items.length;
return 0;`,
    "1",
  ],
  [
    String.raw`const [users, n] = await Promise.all([tools.findUsers({ city: 'Oslo' }), tools['count-all']()]);
return { users: users.length, n };`,
    '{"users":2,"n":3}',
  ],
  [
    String.raw`const user = await tools.getUser({ id: 1 });
if (user === null) { return 'No such user.'; }
return user.name + ' lives in ' + (user.city ?? 'nowhere');`,
    "Ada lives in nowhere",
  ],
  [
    String.raw`const user = await tools.getUser({ id: 1 });
if (!user) throw new Error('No such user.');
return user.name;`,
    "Ada",
  ],
  [
    String.raw`let page = await tools.listOrders({ userId: 1 });
while (page.next) page = await tools.listOrders({ userId: 1, filter: { since: page.next } });
return page.orders.length;`,
    "2",
  ],
  [
    String.raw`const states = ['open', 'closed'] as const;
for (const state of states) await tools.setState({ id: 1, state });
return 'done';`,
    "done",
  ],
  [
    String.raw`const state: 'open' | 'closed' = Math.random() > 2 ? 'open' : 'closed';
return await tools.setState({ id: 1, state });`,
    "true",
  ],
  [
    String.raw`const { orders } = await tools.listOrders({ userId: 1 });
const best = orders.reduce<{ id: number; total: number } | null>((b, o) => (!b || o.total > b.total ? o : b), null);
return best?.id;`,
    "7",
  ],
  [
    String.raw`const { orders } = await tools.listOrders({ userId: 1 });
return orders.reduce((acc, o) => { acc[o.state] = (acc[o.state] ?? 0) + o.total; return acc; }, {} as Record<string, number>);`,
    '{"paid":120.5,"open":20}',
  ],
  [
    String.raw`const { orders: [first, ...rest], next: cursor = 'end' } = await tools.listOrders({ userId: 1 });
return { id: first.id, rest: rest.length, cursor };`,
    '{"id":7,"rest":1,"cursor":null}',
  ],
  [
    String.raw`class Cart { #items = new Map<number, number>(); static empty = new Cart(); get size() { return this.#items.size; } add(id: number, n = 1): this { this.#items.set(id, (this.#items.get(id) ?? 0) + n); return this; } }
return new Cart().add(1).add(2).size;`,
    "2",
  ],
  [
    String.raw`class ApiError extends Error { constructor(readonly_: string, public_?: number) { super(readonly_); this.name = 'ApiError'; } }
try { throw new ApiError('x'); } catch (e) { return e instanceof ApiError ? e.message : String(e); }`,
    "x",
  ],
  [
    String.raw`const params = { city: 'Oslo' };
return (await tools.findUsers({ ...params, limit: 2 })).length;`,
    "2",
  ],
  [
    String.raw`const users = await tools.findUsers({ city: 'Oslo' });
const lines = users.map((u, i) => '' + (i + 1) + '. ' + u.name.padEnd(10) + (u.city ?? '-'));
return lines.join('\n');`,
    String.raw`1. Ada       -
2. Bob       Oslo`,
  ],
  [
    "return new Map((await tools.findUsers({ city: 'Oslo' })).map((u) => [u.id, u.name]));",
    '{"1":"Ada","2":"Bob"}',
  ],
  [
    "return tools.findUsers({ city: 'Oslo' }).then((users) => users.length).catch((error) => error.message);",
    "2",
  ],
  [
    String.raw`const retry = async <T>(fn: () => Promise<T>, times = 3): Promise<T> => { for (let i = 0; ; i++) { try { return await fn(); } catch (error) { if (i >= times) throw error; } } };
return await retry(() => tools['count-all']());`,
    "3",
  ],
  [
    String.raw`const isPaid = (o: { state: string }): boolean => o.state === 'paid';
return (await tools.listOrders({ userId: 1 })).orders.some(isPaid);`,
    "true",
  ],
  [
    String.raw`const users = (await Promise.all([1, 2].map((id) => tools.getUser({ id })))).filter(Boolean);
return users.map((u) => u!.name);`,
    '["Ada","Ada"]',
  ],
  [
    String.raw`const users = (await Promise.all([1, 2].map((id) => tools.getUser({ id })))).filter((u): u is NonNullable<typeof u> => u != null);
return users.map((u) => u.name);`,
    '["Ada","Ada"]',
  ],
  [
    String.raw`const { orders } = await tools.listOrders({ userId: 1 });
switch (orders[0]?.state) { case 'paid': return 'paid'; case 'open': return 'open'; default: return 'none'; }`,
    "paid",
  ],
  [
    String.raw`const n = await tools['count-all']();
const label = n > 10 ? 'many' : n > 2 ? 'some' : 'few';
return { n, label };`,
    '{"n":3,"label":"some"}',
  ],
  [
    String.raw`function fact(n: number): number { return n < 2 ? 1 : n * fact(n - 1); }
return fact(5);`,
    "120",
  ],
  [
    String.raw`const matrix = Array.from({ length: 3 }, (_, i) => Array.from({ length: 3 }, (_, j) => i * j));
return matrix.flat().filter((x) => x > 0).length;`,
    "4",
  ],
  [
    String.raw`interface Summary { readonly name: string; total: number }
const summaries: Summary[] = (await tools.findUsers({ city: 'Oslo' })).map(({ name }) => ({ name, total: name.length }));
return summaries;`,
    '[{"name":"Ada","total":3},{"name":"Bob","total":3}]',
  ],
  [
    String.raw`const { findUsers, getUser } = tools;
return [(await findUsers({ city: 'x' })).length, (await getUser({ id: 1 }))?.id];`,
    "[2,1]",
  ],
  [
    String.raw`const t = tools;
return await t['count-all']({});`,
    "3",
  ],
  [
    String.raw`const amounts = [3, 1, 2].sort();
const [min, max] = [Math.min(...amounts), Math.max(...amounts)];
return { min, max };`,
    '{"min":1,"max":3}',
  ],
  [
    String.raw`void tools['count-all']();
return 1;`,
    "1",
  ],
  [
    String.raw`const u = (await tools.getUser({ id: 1 }))!;
const key: keyof typeof u = 'name';
return u[key];`,
    "Ada",
  ],
  [
    String.raw`const pick = (o: any, ...keys: string[]) => Object.fromEntries(keys.map((k) => [k, o[k]]));
return pick(await tools.getUser({ id: 1 }), 'id');`,
    '{"id":1}',
  ],
  ["const key = 'b' as string; const o = { a: 1 }; return o[key];", nothing],
  [
    String.raw`const users = await tools.findUsers({ city: 'x' });
const names = users.map(u => u['name']);
return names;`,
    '["Ada","Bob"]',
  ],
  [
    "const ws = new WeakMap(); const sym = Symbol('x'); const big = 2n ** 64n; return big > 1 ? big.toString() : sym.toString();",
    "18446744073709551616",
  ],
  [
    "const results = []; let i = 0; while (true) { if (i++ >= 3) break; results.push(await tools['count-all']()); } return results;",
    "[3,3,3]",
  ],
  [
    "return Array.fromAsync([1, 2].map((id) => tools.getUser({ id })));",
    '[{"id":1,"name":"Ada","city":null},{"id":1,"name":"Ada","city":null}]',
  ],
  ["const { promise, resolve } = Promise.withResolvers(); resolve(1); return await promise;", "1"],
  ["return [1, 2, 3].values().map((x) => x * 2).toArray();", "[2,4,6]"],
  ["const first = (await tools.findUsers({ city: 'x' }))[0]; return first.name;", "Ada"],
  [
    "const users = await tools.findUsers({ city: 'x' }); const out = { total: 0, names: [] }; for (const u of users) { out.total++; out.names.push(u.name); } return out;",
    '{"total":2,"names":["Ada","Bob"]}',
  ],
  [
    "let result = null; for (const u of await tools.findUsers({ city: 'x' })) { if (u.city) result = u; } return result;",
    '{"id":2,"name":"Bob","city":"Oslo"}',
  ],
  ["let result = []; result = await tools.findUsers({ city: 'x' }); return result.length;", "2"],
  ["let summary = {}; summary.count = 3; return summary;", '{"count":3}'],
  [
    "const cache = new Map(); const get = async (id) => { if (!cache.has(id)) cache.set(id, await tools.getUser({ id })); return cache.get(id); }; return (await get(1))?.name;",
    "Ada",
  ],
  [
    "const users = await tools.findUsers({ city: 'x' }); const u = users.find((u) => u.id === 1); if (u) { return u.name; } else { return null; }",
    "Ada",
  ],
  [
    "const map = new Map(); for (const u of await tools.findUsers({ city: 'x' })) { map.set(u.name, (map.get(u.name) || 0) + 1); } return Object.fromEntries(map);",
    '{"Ada":1,"Bob":1}',
  ],
  [
    String.raw`class Pages {
  async find(each: (page: number) => Promise<boolean>) { return (await each(1)) ? 1 : 0; }
}
return await new Pages().find(async (page) => (await tools['count-all']()) > page);`,
    "1",
  ],
  [
    String.raw`const load = () => [1, 2].map((id) => tools.getUser({ id }));
const users = await Promise.all(load());
return users.length;`,
    "2",
  ],
  [
    longest,
    '{"ranking":[{"city":"Oslo","revenue":120.5,"users":"Bob"},{"city":"unknown","revenue":120.5,"users":"Ada"}],"complete":true}',
  ],
];

test("programs without a mistake run as they are, and each comes to its result", async () => {
  const programs = right.map(([program]) => program);
  expect(programs.length).toBeGreaterThanOrEqual(60);
  expect(await textsOf(programs, shopTools, {})).toEqual(right.map(([, text]) => text));
});
