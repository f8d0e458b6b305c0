import { Agent } from "skein";
import type { Case } from "./case.ts";
import greet from "./default-export.ts";
import * as functions from "./functions.ts";
import {
  book,
  convert,
  count,
  draw,
  find,
  join,
  paint,
  pick,
  ping,
  plan,
  remind,
  search,
  ship,
  show,
  store,
  watch,
  weather,
} from "./functions.ts";
import type { Session } from "./witness.ts";

const order = { lines: [{ sku: "a1", quantity: 2 }], to: { street: "Rue 1", city: "Nice" } };
const folder = { name: "src", folders: [{ name: "a", folders: [] }] };
const shapes = [
  { kind: "circle", radius: 1 },
  { kind: "text", text: "b", colour: "amber" },
];
const precious = {
  at: "2026-01-02T03:04:05.000Z",
  id: "12345678901234567890",
  link: "https://example.com/a",
  prices: { a: 1 },
  tags: ["x", "y"],
};

export const functionCases: readonly Case[] = [
  {
    title: "positional parameters",
    agent: () => new Agent<Session>({ name: "Helper", tools: [weather] }),
    toolName: "weather",
    arguments: { city: "Paris", days: 2 },
    receives: ["Paris", 2],
  },
  {
    title: "defaults",
    agent: () => new Agent<Session>({ name: "Helper", tools: [search] }),
    toolName: "search",
    arguments: { query: "red", sort: "old" },
    receives: ["red", 10, "old", false],
  },
  {
    title: "constraints in comments",
    agent: () => new Agent<Session>({ name: "Helper", tools: [book] }),
    toolName: "book",
    arguments: { guests: 12, phone: "112" },
    receives: [12, "112"],
  },
  {
    title: "nested types of another file",
    agent: () => new Agent<Session>({ name: "Helper", tools: [ship] }),
    toolName: "ship",
    arguments: { order },
    receives: [order],
  },
  {
    title: "instantiated generic types",
    agent: () => new Agent<Session>({ name: "Helper", tools: [show] }),
    toolName: "show",
    arguments: { page: { items: [order], cursor: null }, first: [1] },
    receives: [{ items: [order], cursor: null }, [1]],
  },
  {
    title: "a union, in order",
    agent: () => new Agent<Session>({ name: "Helper", tools: [convert] }),
    toolName: "convert",
    arguments: { amount: 2, to: "lb" },
    receives: [2, "lb"],
  },
  {
    title: "an enumeration of constants, in order",
    agent: () => new Agent<Session>({ name: "Helper", tools: [paint] }),
    toolName: "paint",
    arguments: { colour: "amber", walls: 4 },
    receives: ["amber", 4],
  },
  {
    title: "a discriminated union",
    agent: () => new Agent<Session>({ name: "Helper", tools: { draw } }),
    toolName: "draw",
    arguments: { shapes },
    receives: [shapes],
  },
  {
    title: "values that JSON cannot carry",
    agent: () => new Agent<Session>({ name: "Helper", tools: [remind] }),
    toolName: "remind",
    arguments: precious,
    receives: [Date.parse(precious.at), `${precious.id}n`, "example.com", [["a", 1]], ["x", "y"]],
  },
  {
    title: "a destructured parameter",
    agent: () => new Agent<Session>({ name: "Helper", tools: [plan] }),
    toolName: "plan",
    arguments: { city: "Rome" },
    receives: ["Rome", 3],
  },
  {
    title: "a rest parameter",
    agent: () => new Agent<Session>({ name: "Helper", tools: [join] }),
    toolName: "join",
    arguments: { separator: "-", words: ["a", "b"] },
    receives: ["-", ["a", "b"]],
  },
  {
    title: "optional and nullable parameters",
    agent: () => new Agent<Session>({ name: "Helper", tools: [find] }),
    toolName: "find",
    arguments: { name: null, team: "red" },
    receives: [null, null, "red"],
  },
  {
    title: "recursive types and tuples",
    agent: () => new Agent<Session>({ name: "Helper", tools: [count] }),
    toolName: "count",
    arguments: { folder, depths: [1, 2] },
    receives: [folder, [1, 2]],
  },
  {
    title: "template literals, records and unknown",
    agent: () => new Agent<Session>({ name: "Helper", tools: [store] }),
    toolName: "store",
    arguments: { key: "a:1", value: [1], scores: { b: 2 } },
    receives: ["a:1", [1], { b: 2 }],
  },
  {
    title: "no parameters",
    agent: () => new Agent<Session>({ name: "Helper", tools: [ping] }),
    toolName: "ping",
    arguments: {},
    receives: ["ping"],
    needsNoTypes: true,
  },
  {
    title: "an async generator",
    agent: () => new Agent<Session>({ name: "Helper", tools: [watch] }),
    toolName: "watch",
    arguments: { file: "a.ts" },
    receives: ["a.ts", 1],
  },
  {
    title: "a generic function",
    agent: () => new Agent<Session>({ name: "Helper", tools: [pick] }),
    toolName: "pick",
    arguments: { keys: ["b"], order: {} },
    receives: [["b"], {}],
  },
  {
    title: "a default export",
    agent: () => new Agent<Session>({ name: "Helper", tools: [greet] }),
    toolName: "greet",
    arguments: { name: "Ada" },
    receives: ["Ada", false],
  },
  {
    title: "a member of an imported namespace",
    agent: () => new Agent<Session>({ name: "Helper", tools: [functions.weather] }),
    toolName: "weather",
    arguments: { city: "Lyon", days: 1 },
    receives: ["Lyon", 1],
  },
  {
    title: "a function written in the list",
    agent: () =>
      new Agent<Session>({
        name: "Helper",
        tools: {
          /** Shout a text. */
          shout: (text: string, times = 1) => ping() + text.repeat(times),
        },
      }),
    toolName: "shout",
    arguments: { text: "a" },
    receives: ["ping"],
  },
];
