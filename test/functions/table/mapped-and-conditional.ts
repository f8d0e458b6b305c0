import { got, row, theme, type Theme } from "../row.ts";
import { boolean, described, list, number, object, oneOf, orNull, string } from "../schemas.ts";

interface Settings {
  /** How loud. */
  volume: number;
  theme: "dark" | "light";
  isMuted?: boolean;
}

type Nullable<Of> = { [Key in keyof Of]: Of[Key] | null };
type Writable<Of> = { -readonly [Key in keyof Of]-?: Of[Key] };
type Prefixed<Of> = { [Key in keyof Of as `new${Capitalize<string & Key>}`]: Of[Key] };
type OnlyNumbers<Of> = { [Key in keyof Of as Of[Key] extends number ? Key : never]: Of[Key] };
type Flags<Names extends string> = { [Name in Names]?: boolean };
type ElementOf<List> = List extends readonly (infer Element)[] ? Element : never;
type Loose<Value> = Value extends string ? Value | number : Value;
type DeepPartial<Of> = Of extends object ? { [Key in keyof Of]?: DeepPartial<Of[Key]> } : Of;
type Event = { kind: "click"; x: number } | { kind: "key"; code: string };
type EventNamed<Kind> = Extract<Event, { kind: Kind }>;

const volume = described("How loud.", number);
const look = oneOf("dark", "light");

export const mappedTypes: Theme = theme("mapped types", [
  row(
    "every property or null",
    function clear(settings: Nullable<Settings>) {
      got(settings);
    },
    {
      schema: object({
        settings: object(
          {
            volume: described("How loud.", orNull(number)),
            theme: oneOf("dark", "light", null),
            isMuted: orNull(boolean),
          },
          ["isMuted"],
        ),
      }),
      accepts: [[{ settings: { volume: null, theme: "dark" } }, [{ volume: null, theme: "dark" }]]],
      refuses: [[{ settings: { volume: 1 } }, "$.settings.theme"]],
    },
  ),
  row(
    "every property required",
    function write(settings: Writable<Settings>) {
      got(settings);
    },
    {
      schema: object({ settings: object({ volume, theme: look, isMuted: boolean }) }),
      accepts: [
        [
          { settings: { volume: 1, theme: "dark", isMuted: true } },
          [{ volume: 1, theme: "dark", isMuted: true }],
        ],
      ],
      refuses: [[{ settings: { volume: 1, theme: "dark" } }, "$.settings.isMuted"]],
    },
  ),
  row(
    "with new names",
    function change(settings: Prefixed<{ volume: number; theme: "dark" | "light" }>) {
      got(settings);
    },
    {
      schema: object({ settings: object({ newVolume: number, newTheme: look }) }),
      accepts: [[{ settings: { newVolume: 1, newTheme: "light" } }, [{ newVolume: 1, newTheme: "light" }]]],
      refuses: [[{ settings: { volume: 1, newTheme: "light" } }, "$.settings.newVolume"]],
    },
  ),
  row(
    "without some",
    function tune(settings: OnlyNumbers<Settings>) {
      got(settings);
    },
    {
      schema: object({ settings: object({ volume }) }),
      accepts: [[{ settings: { volume: 1 } }, [{ volume: 1 }]]],
      refuses: [[{ settings: { volume: 1, theme: "dark" } }, "$.settings.theme"]],
    },
  ),
  row(
    "over a union of names",
    function features(flags: Flags<"search" | "chat">) {
      got(flags);
    },
    {
      schema: object({ flags: object({ search: boolean, chat: boolean }, ["search", "chat"]) }),
      accepts: [[{ flags: { chat: true } }, [{ chat: true }]]],
      refuses: [[{ flags: { chat: "on" } }, "$.flags.chat"]],
    },
  ),
  row(
    "over a template of names",
    function padding(of: { [Side in "left" | "right" as `padding-${Side}`]: number }) {
      got(of);
    },
    {
      schema: object({ of: object({ "padding-left": number, "padding-right": number }) }),
      accepts: [
        [{ of: { "padding-left": 1, "padding-right": 2 } }, [{ "padding-left": 1, "padding-right": 2 }]],
      ],
      refuses: [[{ of: { "padding-left": 1 } }, "$.of.padding-right"]],
    },
  ),
  row(
    "all the way down",
    function patch(state: DeepPartial<{ user: { name: string; age: number } }>) {
      got(state);
    },
    {
      schema: object({
        state: object({ user: object({ name: string, age: number }, ["name", "age"]) }, ["user"]),
      }),
      accepts: [[{ state: { user: {} } }, [{ user: {} }]]],
      refuses: [[{ state: { user: { name: {} } } }, "$.state.user.name"]],
    },
  ),
  row(
    "over a tuple",
    function both(pair: Nullable<[number, string]>) {
      got(pair);
    },
    {
      schema: object({
        pair: {
          type: "array",
          prefixItems: [orNull(number), orNull(string)],
          items: false,
          minItems: 2,
          maxItems: 2,
        },
      }),
      accepts: [[{ pair: [null, "a"] }, [[null, "a"]]]],
      refuses: [[{ pair: [null] }, "$.pair"]],
    },
  ),
]);

export const conditionalTypes: Theme = theme("conditional, indexed-access and keyof types", [
  row(
    "an inferred element",
    function first(item: ElementOf<{ id: string }[]>) {
      got(item);
    },
    {
      schema: object({ item: object({ id: string }) }),
      accepts: [[{ item: { id: "a" } }, [{ id: "a" }]]],
      refuses: [[{ item: {} }, "$.item.id"]],
    },
  ),
  row(
    "one branch",
    function pick(value: "a" extends string ? number : boolean) {
      got(value);
    },
    {
      schema: object({ value: number }),
      accepts: [[{ value: 1 }, [1]]],
      refuses: [[{ value: true }, "$.value"]],
    },
  ),
  row(
    "distributed over a union",
    function mix(value: Loose<string | boolean>) {
      got(value);
    },
    {
      schema: object({ value: { type: ["string", "number", "boolean"] } }),
      accepts: [
        [{ value: "a" }, ["a"]],
        [{ value: 1 }, [1]],
        [{ value: false }, [false]],
      ],
      refuses: [[{ value: null }, "$.value"]],
    },
  ),
  row(
    "one member of a union",
    function press(event: EventNamed<"key">) {
      got(event);
    },
    {
      schema: object({ event: object({ kind: { type: "string", const: "key" }, code: string }) }),
      accepts: [[{ event: { kind: "key", code: "a" } }, [{ kind: "key", code: "a" }]]],
      refuses: [[{ event: { kind: "click", x: 1 } }, "$.event.kind"]],
    },
  ),
  row(
    "the type of a property",
    function theme1(to: Settings["theme"], loud: Settings["volume"]) {
      got(to, loud);
    },
    {
      schema: object({ to: look, loud: volume }),
      accepts: [[{ to: "dark", loud: 1 }, ["dark", 1]]],
      refuses: [[{ to: "grey", loud: 1 }, "$.to"]],
    },
  ),
  row(
    "the type of an optional property",
    function mute(on: Settings["isMuted"]) {
      got(on);
    },
    {
      schema: object({ on: boolean }, ["on"]),
      accepts: [
        [{}, [undefined]],
        [{ on: true }, [true]],
      ],
      refuses: [[{ on: "so" }, "$.on"]],
    },
  ),
  row(
    "the types of all properties",
    function any1(value: Settings[keyof Pick<Settings, "volume" | "theme">]) {
      got(value);
    },
    {
      schema: object({ value: { anyOf: [number, look] } }),
      accepts: [
        [{ value: 1 }, [1]],
        [{ value: "dark" }, ["dark"]],
      ],
      refuses: [[{ value: "grey" }, "$.value"]],
    },
  ),
  row(
    "keys, in declared order",
    function get(key: keyof Settings) {
      got(key);
    },
    {
      schema: object({ key: oneOf("volume", "theme", "isMuted") }),
      accepts: [[{ key: "isMuted" }, ["isMuted"]]],
      refuses: [[{ key: "size" }, "$.key"]],
    },
  ),
  row(
    "keys but one",
    function set(key: Exclude<keyof Settings, "volume">, keys: readonly (keyof Settings)[]) {
      got(key, keys);
    },
    {
      schema: object({ key: oneOf("theme", "isMuted"), keys: list(oneOf("volume", "theme", "isMuted")) }),
      accepts: [[{ key: "theme", keys: [] }, ["theme", []]]],
      refuses: [[{ key: "volume", keys: [] }, "$.key"]],
    },
  ),
  row(
    "the element of a list property",
    function tag(word: { tags: ("x" | "b")[] }["tags"][number]) {
      got(word);
    },
    {
      schema: object({ word: oneOf("x", "b") }),
      accepts: [[{ word: "b" }, ["b"]]],
      refuses: [[{ word: "c" }, "$.word"]],
    },
  ),
  row(
    "the type of a value",
    function like(sample: typeof sampleValue, key: keyof typeof sampleValue) {
      got(sample, key);
    },
    {
      schema: object({ sample: object({ a: number, b: object({ c: string }) }), key: oneOf("a", "b") }),
      accepts: [[{ sample: { a: 1, b: { c: "d" } }, key: "b" }, [{ a: 1, b: { c: "d" } }, "b"]]],
      refuses: [[{ sample: { a: 1, b: {} }, key: "b" }, "$.sample.b.c"]],
    },
  ),
]);

const sampleValue = { a: 1, b: { c: "" } };
