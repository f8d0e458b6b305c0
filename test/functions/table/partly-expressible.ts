import type { JsonSchema } from "skein";
import { got, row, theme, type Theme } from "../row.ts";
import {
  anyOf,
  list,
  number,
  object,
  openTuple,
  record,
  ref,
  string,
  tuple,
  url,
  withDefinitions,
} from "../schemas.ts";

interface Request {
  path: string;
  retries?: number;
  signal?: AbortSignal;
  onDone?: () => void;
}

class Client {
  readonly #token: string = "";
  send(): string {
    return this.#token;
  }
}

class Point {
  readonly x: number = 0;
  readonly y: number = 0;
  get length(): number {
    return Math.hypot(this.x, this.y);
  }
}

interface Names extends Array<string> {
  origin?: string;
}

interface Page<Item> extends ReadonlyArray<Item> {}

interface Branch extends Array<Branch | string> {}

const emptyList: JsonSchema = { type: "array", items: false, minItems: 0, maxItems: 0 };

export const partlyExpressible: Theme = theme("what JSON can carry in part", [
  row(
    "members that may be left out",
    function send(request: Request) {
      got(request);
    },
    {
      schema: object({ request: object({ path: string, retries: number }, ["retries"]) }),
      accepts: [[{ request: { path: "/" } }, [{ path: "/" }]]],
      refuses: [[{ request: { path: {} } }, "$.request.path"]],
      warns: [
        /"request.signal": left out, since .*AbortSignal/,
        /"request.onDone": left out, since a function/,
      ],
    },
  ),
  row(
    "many of them, of which three are named",
    function connect(options: {
      host: string;
      a?: symbol;
      b?: () => void;
      c?: RegExp;
      d?: Promise<string>;
      e?: WeakMap<object, string>;
    }) {
      got(options);
    },
    {
      schema: object({ options: object({ host: string }) }),
      accepts: [[{ options: { host: "h" } }, [{ host: "h" }]]],
      refuses: [[{ options: { host: "h", a: 1 } }, "$.options.a"]],
      warns: [/"options.a"/, /"options.b"/, /"options.c"/, /2 more members or alternatives/],
    },
  ),
  row(
    "a member that only may be null besides",
    function listen(to: { topic: string; signal?: AbortSignal | null }) {
      got(to);
    },
    {
      schema: object({ to: object({ topic: string }) }),
      accepts: [[{ to: { topic: "a" } }, [{ topic: "a" }]]],
      refuses: [[{ to: { topic: "a", signal: "x" } }, "$.to.signal"]],
      warns: [/"to.signal": the alternative AbortSignal is left out/],
    },
  ),
  row(
    "a member whose own members cannot be left out",
    function watch(files: string[], options: { every?: number; handlers?: { change: () => void } }) {
      got(files, options);
    },
    {
      schema: object({ files: list(string), options: object({ every: number }, ["every"]) }),
      accepts: [[{ files: ["a"], options: { every: 1 } }, [["a"], { every: 1 }]]],
      refuses: [[{ files: ["a"], options: { handlers: {} } }, "$.options.handlers"]],
      warns: [/"options.handlers": left out, since a function is not JSON \("options.handlers.change"\)/],
    },
  ),
  row(
    "a parameter that may be left out",
    function load(url: string, onDone?: () => void) {
      got(url, onDone);
    },
    {
      schema: object({ url: string }),
      accepts: [[{ url: "/" }, ["/", undefined]]],
      refuses: [[{ onDone: "x" }, "$.url"]],
      warns: [/"onDone": left out, since a function is not JSON/],
    },
  ),
  row(
    "alternatives of a union",
    function login(auth: string | Client, at: string | RegExp | { host: string }) {
      got(auth, at);
    },
    {
      schema: object({ auth: string, at: anyOf(string, object({ host: string })) }),
      accepts: [[{ auth: "key", at: { host: "h" } }, ["key", { host: "h" }]]],
      refuses: [
        [{ auth: {}, at: "" }, "$.auth"],
        [{ auth: "key", at: { host: {} } }, "$.at.host"],
      ],
      warns: [/"auth": the alternative Client is left out/, /"at": the alternative RegExp is left out/],
    },
  ),
  row(
    "a text, raw bytes or a URL",
    function open(file: string | ArrayBuffer | URL) {
      got(typeof file === "string" ? file : file instanceof URL ? file.href : file.byteLength);
    },
    {
      schema: object({ file: anyOf(url, string) }),
      accepts: [
        [{ file: "a.txt" }, ["a.txt"]],
        [{ file: "file:///a.txt" }, ["file:///a.txt"]],
      ],
      refuses: [[{ file: ["a.txt"] }, "$.file"]],
      warns: [/the alternative ArrayBuffer/],
    },
  ),
  row(
    "nothing but null",
    function start(logger: Client | null) {
      got(logger);
    },
    {
      schema: object({ logger: { type: "null" } }),
      accepts: [[{ logger: null }, [null]]],
      refuses: [[{ logger: {} }, "$.logger"]],
      warns: [/the alternative Client/],
    },
  ),
  row(
    "elements of a tuple, from the first that cannot be given",
    function call(...input: [path: string, times?: number, signal?: AbortSignal, note?: string]) {
      got(...input);
    },
    {
      schema: object({ input: tuple([string, number], 1) }),
      accepts: [
        [{ input: ["/"] }, ["/"]],
        [{ input: ["/", 2] }, ["/", 2]],
      ],
      refuses: [[{ input: [{}] }, "$.input[0]"]],
      warns: [/"input\[2\]": left out/],
    },
  ),
  row(
    "values of an index signature",
    function set(values: { [name: string]: string | (() => string) }) {
      got(values);
    },
    {
      schema: object({ values: record(string) }),
      accepts: [[{ values: { a: "b" } }, [{ a: "b" }]]],
      refuses: [[{ values: { a: {} } }, "$.values.a"]],
      warns: [/the alternative \(\) => string is left out/],
    },
  ),
  row(
    "accessors of a class without private state",
    function draw(to: Point) {
      got(to);
    },
    {
      schema: object({ to: object({ x: number, y: number, length: number }) }),
      accepts: [[{ to: { x: 3, y: 4, length: 5 } }, [{ x: 3, y: 4, length: 5 }]]],
      refuses: [[{ to: { x: 3, y: 4 } }, "$.to.length"]],
    },
  ),
  row(
    "interfaces that extend an array",
    function join(names: Names, page: Page<{ id: number }>) {
      got(names, page);
    },
    {
      schema: object({ names: list(string), page: list(object({ id: number })) }),
      accepts: [[{ names: ["a"], page: [{ id: 1 }] }, [["a"], [{ id: 1 }]]]],
      refuses: [
        [{ names: { 0: "a" }, page: [] }, "$.names"],
        [{ names: [], page: [{ id: "x" }] }, "$.page[0].id"],
      ],
    },
  ),
  row(
    "interfaces that extend an array of themselves",
    function grow(tree: Branch) {
      got(tree);
    },
    {
      schema: withDefinitions(object({ tree: ref("Branch") }), {
        Branch: list(anyOf(string, ref("Branch"))),
      }),
      accepts: [[{ tree: ["a", ["b", []]] }, [["a", ["b", []]]]]],
      refuses: [[{ tree: [{}] }, "$.tree[0]"]],
    },
  ),
  row(
    "what is a tuple and an array at once",
    function most(values: [string, ...string[]] & string[]) {
      got(values);
    },
    {
      schema: object({ values: openTuple([string], string) }),
      accepts: [[{ values: ["a", "b"] }, [["a", "b"]]]],
      refuses: [
        [{ values: [] }, "$.values"],
        [{ values: ["a", {}] }, "$.values[1]"],
      ],
    },
  ),
  row(
    "what only walks through a list, or only counts it",
    function total(prices: Iterable<number>, names: ArrayLike<string>) {
      got(prices, names);
    },
    {
      schema: object({ prices: list(number), names: list(string) }),
      accepts: [[{ prices: [1], names: ["a"] }, [[1], ["a"]]]],
      refuses: [
        [{ prices: {}, names: [] }, "$.prices"],
        [{ prices: [], names: { length: 1 } }, "$.names"],
      ],
    },
  ),
  row(
    "records without any key",
    function none(a: Record<string, never>, b: Record<never, string>, c: Pick<{ x: number }, never>) {
      got(a, b, c);
    },
    {
      schema: object({ a: object({}), b: object({}), c: object({}) }),
      accepts: [[{ a: {}, b: {}, c: {} }, [{}, {}, {}]]],
      refuses: [
        [{ a: { x: 1 }, b: {}, c: {} }, "$.a.x"],
        [{ a: {}, b: { x: 1 }, c: {} }, "$.b.x"],
        [{ a: {}, b: {}, c: { x: 1 } }, "$.c.x"],
      ],
    },
  ),
  row(
    "lists without any element",
    function bare(a: never[], b: [string, never?], c: [string, ...never[]]) {
      got(a, b, c);
    },
    {
      schema: object({ a: emptyList, b: tuple([string]), c: tuple([string]) }),
      accepts: [[{ a: [], b: ["x"], c: ["y"] }, [[], ["x"], ["y"]]]],
      refuses: [
        [{ a: [1], b: ["x"], c: ["y"] }, "$.a[0]"],
        [{ a: [], b: ["x", 1], c: ["y"] }, "$.b[1]"],
        [{ a: [], b: ["x"], c: ["y", 1] }, "$.c[1]"],
      ],
    },
  ),
  row(
    "keys that must be there and may be undefined",
    function put(input: { Bucket: string | undefined; Key?: string }, note: string | undefined) {
      got(input, note);
    },
    {
      schema: object({ input: object({ Bucket: string, Key: string }, ["Key"]), note: string }, ["note"]),
      accepts: [[{ input: { Bucket: "b" } }, [{ Bucket: "b" }, undefined]]],
      refuses: [[{ input: { Key: "k" } }, "$.input.Bucket"]],
    },
  ),
  row(
    "parameters spread from another function",
    function spread(...input: Parameters<(path: string, options?: Request, onDone?: () => void) => void>) {
      got(...input);
    },
    {
      schema: object({ input: tuple([string, object({ path: string, retries: number }, ["retries"])], 1) }),
      accepts: [[{ input: ["/", { path: "a" }] }, ["/", { path: "a" }]]],
      refuses: [[{ input: [] }, "$.input"]],
      warns: [/"input\[1\]\.signal"/, /"input\[1\]\.onDone"/, /"input\[2\]"/],
    },
  ),
  row(
    "symbols among keys",
    function pick(key: PropertyKey) {
      got(key);
    },
    {
      schema: object({ key: { type: ["string", "number"] } }),
      accepts: [
        [{ key: "a" }, ["a"]],
        [{ key: 1 }, [1]],
      ],
      refuses: [[{ key: {} }, "$.key"]],
      warns: [/"key": the alternative symbol is left out/],
    },
  ),
]);
