import { got, row, theme, type Theme } from "../row.ts";
import {
  anyOf,
  bytes,
  described,
  list,
  nothing,
  number,
  object,
  orNull,
  record,
  returned,
  string,
  tuple,
  url,
} from "../schemas.ts";

const link = "https://example.com/a?b=c#d";

export const urls: Theme = theme("URLs", [
  row(
    "a parameter",
    function open(page: URL) {
      got(page);
    },
    {
      schema: object({ page: url }),
      accepts: [
        [{ page: link }, [new URL(link)]],
        [{ page: "mailto:a@example.com" }, [new URL("mailto:a@example.com")]],
      ],
      refuses: [
        [{ page: "/a" }, "$.page"],
        [{ page: "not a page" }, "$.page"],
      ],
    },
  ),
  row(
    "one that may be left out",
    function visit(from?: URL) {
      got(from);
    },
    {
      schema: object({ from: url }, ["from"]),
      accepts: [
        [{}, [undefined]],
        [{ from: link }, [new URL(link)]],
      ],
      refuses: [[{ from: "here" }, "$.from"]],
    },
  ),
  row(
    "or null",
    function avatar(of: URL | null) {
      got(of);
    },
    {
      schema: object({ of: orNull(url) }),
      accepts: [
        [{ of: null }, [null]],
        [{ of: link }, [new URL(link)]],
      ],
      refuses: [[{ of: "none" }, "$.of"]],
    },
  ),
  row(
    "in a list",
    function crawl(pages: URL[]) {
      got(pages);
    },
    {
      schema: object({ pages: list(url) }),
      accepts: [[{ pages: [link] }, [[new URL(link)]]]],
      refuses: [[{ pages: [link, "b"] }, "$.pages[1]"]],
    },
  ),
  row(
    "in an object, with a comment",
    function post(entry: { /** Where it stands. */ at: URL; text: string }) {
      got(entry);
    },
    {
      schema: object({ entry: object({ at: described("Where it stands.", url), text: string }) }),
      accepts: [[{ entry: { at: link, text: link } }, [{ at: new URL(link), text: link }]]],
      refuses: [[{ entry: { at: "a", text: "b" } }, "$.entry.at"]],
    },
  ),
  row(
    "destructured, in a tuple and a record",
    function mirror({ pair, others }: { pair: [URL, number]; others: Record<string, URL> }) {
      got(pair, others);
    },
    {
      schema: object({ pair: tuple([url, number]), others: record(url) }),
      accepts: [[{ pair: [link, 1], others: { a: link } }, [[new URL(link), 1], { a: new URL(link) }]]],
      refuses: [[{ pair: ["a", 1], others: {} }, "$.pair[0]"]],
    },
  ),
  row(
    "as a rest",
    function check(...links: URL[]) {
      got(links);
    },
    {
      schema: object({ links: list(url) }, ["links"]),
      accepts: [[{ links: [link] }, [[new URL(link)]]]],
      refuses: [[{ links: ["a"] }, "$.links[0]"]],
    },
  ),
  row(
    "or a number, or null",
    function load(from: URL | number | null) {
      got(from);
    },
    {
      schema: object({ from: anyOf(url, number, nothing) }),
      accepts: [
        [{ from: link }, [new URL(link)]],
        [{ from: 1 }, [1]],
        [{ from: null }, [null]],
      ],
      refuses: [[{ from: "a" }, "$.from"]],
    },
  ),
  row(
    "a result",
    function home(of: string): { page: URL } {
      got(of);
      return { page: new URL(`https://example.com/${of}`) };
    },
    {
      schema: object({ of: string }),
      output: returned({ page: url }),
      accepts: [[{ of: "a" }, ["a"], { page: "https://example.com/a" }]],
      refuses: [[{}, "$.of"]],
    },
  ),
]);

const hello = new Uint8Array([104, 101, 108, 108, 111]);

export const byteArrays: Theme = theme("bytes", [
  row(
    "a parameter, in base64",
    function upload(data: Uint8Array) {
      got(data);
    },
    {
      schema: object({ data: bytes }),
      accepts: [
        [{ data: "aGVsbG8=" }, [hello]],
        [{ data: "" }, [new Uint8Array()]],
      ],
      refuses: [
        [{ data: {} }, "$.data"],
        [{}, "$.data"],
      ],
    },
  ),
  row(
    "one that may be left out",
    function sign(key?: Uint8Array) {
      got(key);
    },
    {
      schema: object({ key: bytes }, ["key"]),
      accepts: [
        [{}, [undefined]],
        [{ key: "aGVsbG8=" }, [hello]],
      ],
      refuses: [[{ key: [{}] }, "$.key"]],
    },
  ),
  row(
    "or null",
    function clear(image: Uint8Array | null) {
      got(image);
    },
    {
      schema: object({ image: orNull(bytes) }),
      accepts: [
        [{ image: null }, [null]],
        [{ image: "aGVsbG8=" }, [hello]],
      ],
      refuses: [[{}, "$.image"]],
    },
  ),
  row(
    "of an ArrayBuffer",
    function write(data: Uint8Array<ArrayBuffer>) {
      got(data);
    },
    {
      schema: object({ data: bytes }),
      accepts: [[{ data: "aGVsbG8=" }, [hello]]],
      refuses: [[{ data: [1, 2] }, "$.data"]],
    },
  ),
  row(
    "in a list",
    function join(parts: Uint8Array[]) {
      got(parts);
    },
    {
      schema: object({ parts: list(bytes) }),
      accepts: [[{ parts: ["aGVsbG8=", ""] }, [[hello, new Uint8Array()]]]],
      refuses: [[{ parts: [{}] }, "$.parts[0]"]],
    },
  ),
  row(
    "in an object, with a comment",
    function send(file: { name: string; /** What is in it. */ data: Uint8Array }) {
      got(file);
    },
    {
      schema: object({ file: object({ name: string, data: described("What is in it.", bytes) }) }),
      accepts: [[{ file: { name: "aGVsbG8=", data: "aGVsbG8=" } }, [{ name: "aGVsbG8=", data: hello }]]],
      refuses: [[{ file: { name: "a" } }, "$.file.data"]],
    },
  ),
  row(
    "in a map and a record",
    function cache(files: Map<string, Uint8Array>, more: Record<string, Uint8Array>) {
      got(files, more);
    },
    {
      schema: object({ files: record(bytes), more: record(bytes) }),
      accepts: [
        [{ files: { a: "aGVsbG8=" }, more: { b: "" } }, [new Map([["a", hello]]), { b: new Uint8Array() }]],
      ],
      refuses: [[{ files: { a: {} }, more: {} }, "$.files.a"]],
    },
  ),
  row(
    "as a rest",
    function concat(...chunks: Uint8Array[]) {
      got(chunks);
    },
    {
      schema: object({ chunks: list(bytes) }, ["chunks"]),
      accepts: [[{ chunks: ["aGVsbG8="] }, [[hello]]]],
      refuses: [[{ chunks: [{}] }, "$.chunks[0]"]],
    },
  ),
  row(
    "a result",
    function encode(text: string): Uint8Array {
      got(text);
      return new TextEncoder().encode(text);
    },
    {
      schema: object({ text: string }),
      output: bytes,
      accepts: [[{ text: "hello" }, ["hello"], "aGVsbG8="]],
      refuses: [[{}, "$.text"]],
    },
  ),
]);
