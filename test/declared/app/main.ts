// Functions of packages as tools: prints what a model is told of each, and what a call comes to.
import camelcase from "camelcase";
import { camelCase } from "change-case";
import convert from "color-convert";
import { add, differenceInDays, format, isWeekend } from "date-fns";
import dayjs from "dayjs";
import deepmerge from "deepmerge";
import escapeStringRegexp from "escape-string-regexp";
import * as jsYaml from "js-yaml";
import leftPad from "left-pad";
import lodash from "lodash";
import { chunk, kebabCase } from "lodash-es";
import ms from "ms";
import { nanoid } from "nanoid";
import numberToWords from "number-to-words";
import Papa from "papaparse";
import picomatch from "picomatch";
import pluralize from "pluralize";
import qs from "qs";
import queryString from "query-string";
import { capitalize } from "radash";
import { clamp } from "remeda";
import semver from "semver";
import { Agent, run, toolkit, type ToolFunction } from "skein";
import { FunctionModel } from "skein/testing";
import slugify from "slugify";
import { titleCase } from "title-case";
import { v5, validate } from "uuid";
import validator from "validator";
import YAML, { Document } from "yaml";

const printed: Record<string, unknown> = {};

/** The names of parameters, with a mark at those that are optional. */
function parametersIn(schema: Readonly<Record<string, unknown>>): readonly string[] {
  const required = new Set<unknown>(Array.isArray(schema["required"]) ? schema["required"] : []);
  const names = Object.keys(Object(schema["properties"]));
  return names.map((name) => (required.has(name) ? name : `${name}?`));
}

/** What a model is told of an agent's tools, and what the first one answers. */
async function show(title: string, makeAgent: () => Agent, args: object = {}): Promise<void> {
  let told: unknown;
  const model = new FunctionModel(({ messages, tools = [] }) => {
    const last = messages.at(-1);
    if (last?.role === "tool") return JSON.stringify(last.result.content);
    told = tools.map(({ name, inputSchema }) => `${name}(${parametersIn(inputSchema).join()})`);
    const [first] = tools;
    return { toolCalls: [{ toolName: first?.name ?? "", arguments: args }] };
  });
  try {
    const { text } = await run(makeAgent(), "Go.", { model, maxTurns: 2 });
    const [part]: readonly { readonly text?: string }[] = JSON.parse(text);
    printed[title] = { told, answer: part?.text };
  } catch (error) {
    printed[title] = error instanceof Error ? error.message : error;
  }
}

const name = "A";
const date = "2026-03-01T00:00:00.000Z";
await show("add", () => new Agent({ name, tools: [add] }), { date, duration: { days: 2 } });
await show("format", () => new Agent({ name, tools: [format] }), {
  date: "2026-03-01T12:00:00.000Z",
  formatStr: "yyyy",
});
await show("differenceInDays", () => new Agent({ name, tools: [differenceInDays] }), {
  laterDate: date,
  earlierDate: "2026-02-01T00:00:00.000Z",
});
await show("isWeekend", () => new Agent({ name, tools: [isWeekend] }), { date: "2026-03-01T12:00:00.000Z" });
await show("YAML.parse", () => new Agent({ name, tools: [YAML.parse] }), { src: "a: 1" });
await show("YAML.stringify", () => new Agent({ name, tools: [YAML.stringify] }), { value: { a: 1 } });
await show("v5", () => new Agent({ name, tools: [v5] }), {
  value: "x",
  namespace: "6ba7b810-9dad-11d1-80b4-00c04fd430c8",
});
await show("validate", () => new Agent({ name, tools: [validate] }), { uuid: "x" });
await show("lodash.chunk", () => new Agent({ name, tools: [lodash.chunk] }), { array: [1, 2, 3], size: 2 });
await show("lodash.camelCase", () => new Agent({ name, tools: [lodash.camelCase] }), { string: "a b" });
await show("lodash-es.chunk", () => new Agent({ name, tools: [chunk] }), { array: [1, 2, 3], size: 2 });
await show("lodash-es.kebabCase", () => new Agent({ name, tools: [kebabCase] }), { string: "a b" });
await show("semver.satisfies", () => new Agent({ name, tools: [semver.satisfies] }), {
  version: "1.2.3",
  range: "^1.0.0",
});
await show("ms", () => new Agent({ name, tools: [ms] }), { value: "2 days" });
await show("slugify", () => new Agent({ name, tools: [slugify] }), { string: "a b" });
await show("nanoid", () => new Agent({ name, tools: [nanoid] }), { size: 0 });
await show("isEmail", () => new Agent({ name, tools: [validator.isEmail] }), { str: "a@example.com" });
await show("capitalize", () => new Agent({ name, tools: [capitalize] }), { str: "paris" });
await show("camelCase", () => new Agent({ name, tools: [camelCase] }), { input: "a b" });
await show("camelcase", () => new Agent({ name, tools: [camelcase] }), { input: "a b" });
await show("qs.parse", () => new Agent({ name, tools: [qs.parse] }), { str: "a=1" });
await show("queryString.parse", () => new Agent({ name, tools: [queryString.parse] }), { query: "a=1" });
await show("picomatch.isMatch", () => new Agent({ name, tools: [picomatch.isMatch] }), {
  str: "a.ts",
  patterns: "*.ts",
});
await show("Papa.unparse", () => new Agent({ name, tools: [Papa.unparse] }), { data: [["a", 1]] });
await show("convert.hex.rgb", () => new Agent({ name, tools: [convert.hex.rgb] }));
await show("escapeStringRegexp", () => new Agent({ name, tools: [escapeStringRegexp] }), { string: "a.b" });
await show("titleCase", () => new Agent({ name, tools: [titleCase] }), { input: "a tale" });
await show("pluralize", () => new Agent({ name, tools: [pluralize] }), { word: "goose" });
await show("jsYaml.load", () => new Agent({ name, tools: [jsYaml.load] }), { input: "a: 1" });
await show("leftPad", () => new Agent({ name, tools: [leftPad] }), { str: "1", len: 3, ch: "0" });
// @ts-expect-error -- the package has no types
await show("toWords", () => new Agent({ name, tools: [numberToWords.toWords] }), { number: 3 });
await show(
  "clamp",
  () => new Agent({ name, tools: [clamp as (value: number, limits: { max: number }) => number] }),
  { value: 5, limits: { max: 3 } },
);
await show("deepmerge", () => new Agent({ name, tools: [deepmerge] }), { x: { a: 1 }, y: { b: 2 } });
await show("dayjs", () => new Agent({ name, tools: [dayjs] }), { date });
await show("Document", () => new Agent({ name, tools: [toolkit(new Document({ a: 1 }))] }));
const grown: ToolFunction[] = [];
grown.push(qs.stringify);
await show("a list that grows", () => new Agent({ name, tools: grown }), { obj: { a: 1 } });
console.log(JSON.stringify(printed));
