/** Small projects, one for each way in which TypeScript may be set up, each with functions and the schemas they must have. */
import type { JsonSchema } from "skein";
import { boolean, date, described, list, number, object, oneOf, orNull, string } from "./schemas.ts";

/** A project: its files, and the input schemas of what `main.ts` exports as `functions`. */
export interface SampleProject {
  readonly title: string;
  readonly files: Readonly<Record<string, string>>;
  readonly expected: Readonly<Record<string, JsonSchema>>;
}

const people = `
  /** A person. */
  export interface Person { name: string; /** @minimum 0 */ age?: number }
  export type Role = "owner" | "admin" | "guest";
  export type Page<Item> = { items: Item[]; cursor: string | null };
  export default interface Place { x: number; y: number }
`;
const person = described("A person.", object({ name: string, age: { ...number, minimum: 0 } }, ["age"]));
const role = oneOf("owner", "admin", "guest");
const compilerOptions = {
  target: "es2024",
  module: "nodenext",
  strict: true,
  noEmit: true,
  allowImportingTsExtensions: true,
};

function tsconfig(options: object, rest: object = {}): string {
  return JSON.stringify({ compilerOptions: { ...compilerOptions, ...options }, ...rest });
}

const pathAliases: SampleProject = {
  title: "path aliases",
  files: {
    "tsconfig.json": tsconfig({
      paths: {
        "@people": ["./types/people.ts"],
        "@types/*": ["./types/*"],
        "~/*": ["./*"],
        geo: ["./types/geo.d.ts"],
      },
    }),
    "types/people.ts": people,
    "types/again.ts":
      'export type { Person as Human } from "@people"; export type * as all from "~/types/people.ts";',
    "types/geo.d.ts": "export interface Point { latitude: number }",
    "main.ts": `
      import type { Person, Role } from "@people";
      import type Place from "@types/people.ts";
      import type { Page } from "~/types/people.ts";
      import type { Human, all } from "@types/again.ts";
      import type { Point } from "geo";
      function exact(person: Person) { return person; }
      function union(role: Role) { return role; }
      function byDefault(place: Place) { return place; }
      function generic(page: Page<Role>) { return page; }
      function passedOn(human: Human) { return human; }
      function whole(role: all.Role) { return role; }
      function declared(at: Point) { return at; }
      function within(team: { lead: import("@people").Person }) { return team; }
      export const functions = { exact, union, byDefault, generic, passedOn, whole, declared, within };`,
  },
  expected: {
    exact: object({ person }),
    union: object({ role }),
    byDefault: object({ place: object({ x: number, y: number }) }),
    generic: object({ page: object({ items: list(role), cursor: orNull(string) }) }),
    passedOn: object({ human: person }),
    whole: object({ role }),
    declared: object({ at: object({ latitude: number }) }),
    within: object({ team: object({ lead: person }) }),
  },
};

const references: SampleProject = {
  title: "project references",
  files: {
    "tsconfig.json": '{ "files": [], "references": [{ "path": "./library" }, { "path": "./app" }] }',
    "library/tsconfig.json": tsconfig(
      { noEmit: false, composite: true, emitDeclarationOnly: true, outDir: "../types" },
      { include: ["."] },
    ),
    "app/tsconfig.json": tsconfig(
      { noEmit: false, composite: true, emitDeclarationOnly: true, outDir: "../types" },
      { include: ["."], references: [{ path: "../library" }] },
    ),
    "library/people.ts": people,
    "library/tools.ts": `
      import type { Role } from "./people.ts";
      export function inLibrary(role: Role, on = true) { return [role, on]; }
      export const arrow = (when: Date) => when;`,
    "app/tools.ts": `
      import type Place from "../library/people.ts";
      import type { Page, Person, Role } from "../library/people.ts";
      function exact(person: Person) { return person; }
      function union(role: Role) { return role; }
      function byDefault(place: Place) { return place; }
      function generic(page: Page<Role>) { return page; }
      function picked(person: Pick<Person, "age">) { return person; }
      function own(value: string | null) { return value; }
      export const tools = { exact, union, byDefault, generic, picked, own };`,
    "main.ts": `
      import { tools } from "./app/tools.ts";
      import { arrow, inLibrary } from "./library/tools.ts";
      export const functions = { ...tools, inLibrary, arrow };`,
  },
  expected: {
    exact: object({ person }),
    union: object({ role }),
    byDefault: object({ place: object({ x: number, y: number }) }),
    generic: object({ page: object({ items: list(role), cursor: orNull(string) }) }),
    picked: object({ person: object({ age: { ...number, minimum: 0 } }, ["age"]) }),
    own: object({ value: orNull(string) }),
    inLibrary: object({ role, on: { ...boolean, default: true } }, ["on"]),
    arrow: object({ when: date }),
  },
};

const loose: SampleProject = {
  title: "strict: false",
  files: {
    "tsconfig.json": tsconfig({ strict: false }),
    "people.ts": people,
    "main.ts": `
      import type { Page, Person, Role } from "./people.ts";
      function lost(value: string | null) { return value; }
      function alsoLost(value: number | undefined) { return value; }
      function optional(value?: number) { return value; }
      function inferred(count = 3) { return count; }
      function union(role: Role | null) { return role; }
      function property(person: Person) { return person; }
      function generic(page: Page<boolean>) { return page; }
      export const functions = { lost, alsoLost, optional, inferred, union, property, generic };`,
  },
  expected: {
    lost: object({ value: string }),
    alsoLost: object({ value: number }),
    optional: object({ value: number }, ["value"]),
    inferred: object({ count: { ...number, default: 3 } }, ["count"]),
    union: object({ role }),
    property: object({ person }),
    generic: object({ page: object({ items: list(boolean), cursor: string }) }),
  },
};

const bare: SampleProject = {
  title: "no tsconfig",
  files: {
    "people.ts": people,
    "plain.js": `
      /** @param {string | null} value @param {number} [count] */
      export function plain(value, count) { return [value, count]; }`,
    "geo.d.ts": "export interface Point { latitude: number }",
    "main.ts": `
      import type { Page, Person, Role } from "./people.ts";
      import type { Point } from "./geo.d.ts";
      import { plain } from "./plain.js";
      function nullable(value: string | null) { return value; }
      function orUndefined(value: number | undefined) { return value; }
      function imported(person: Person) { return person; }
      function union(role: Role) { return role; }
      function generic(page: Page<Date>) { return page; }
      function declared(at: Point) { return at; }
      function inferred(count = 3) { return count; }
      export const functions = { nullable, orUndefined, imported, union, generic, declared, inferred, plain };`,
  },
  expected: {
    nullable: object({ value: orNull(string) }),
    orUndefined: object({ value: number }, ["value"]),
    imported: object({ person }),
    union: object({ role }),
    generic: object({ page: object({ items: list(date), cursor: orNull(string) }) }),
    declared: object({ at: object({ latitude: number }) }),
    inferred: object({ count: { ...number, default: 3 } }, ["count"]),
    plain: object({ value: orNull(string), count: number }, ["count"]),
  },
};

export const sampleProjects: readonly SampleProject[] = [pathAliases, references, loose, bare];
