import { describe, expect, test } from "vitest";
import { check } from "./check.ts";
import type { RuleName } from "./rules.ts";
import type { CheckedTool, NamedPlace } from "./types.ts";

const at = (line: number, name = ""): NamedPlace => ({
  name,
  place: { file: "/tools.ts", line, column: 1, length: 1 },
});

function tool(facts: Partial<CheckedTool>): CheckedTool {
  return {
    name: "findTrains",
    description: "Find trains between two cities.",
    inputSchema: { type: "object", properties: {} },
    source: { place: at(1).place },
    ...facts,
  };
}

/** The messages of one rule about some tools. */
function found(rule: RuleName, ...tools: CheckedTool[]): string[] {
  const files = [{ file: "/tools.ts", tools, exported: tools, agents: [] }];
  return check(files, {}, { unusable: [], "schema-drift": [] })
    .filter((finding) => finding.rule === rule)
    .map(({ message }) => message);
}

function withParameter(name: string, schema: object, others: object = {}): CheckedTool {
  const properties = { ...others, [name]: schema };
  return tool({ inputSchema: { type: "object", properties, required: Object.keys(properties) } });
}

describe("vague-description", () => {
  test.each([
    ["findTrains", "Finds trains."],
    ["findTrains", "Find all the trains"],
    ["process", "Processes data."],
    ["run_task", "TODO"],
    ["getHTMLPage", "Get an HTML page"],
    ["x", "A helper function."],
  ])("%s: %s", (name, description) => {
    expect(found("vague-description", tool({ name, description }))).toHaveLength(1);
  });

  test.each([
    ["findTrains", "Find trains between two cities."],
    ["clock", "Tell the time."],
    ["add", "Add two numbers."],
    ["suche", "Züge zwischen zwei Städten finden"],
  ])("not %s: %s", (name, description) => {
    expect(found("vague-description", tool({ name, description }))).toEqual([]);
  });
});

test("a parameter needs a description, unless its type lists its values or refers to one that is described", () => {
  expect(found("undescribed-parameter", withParameter("to", { type: "string" }))).toHaveLength(1);
  expect(
    found("undescribed-parameter", withParameter("to", { type: "string", description: " " })),
  ).toHaveLength(1);
  expect(found("undescribed-parameter", withParameter("unit", { enum: ["km", "mile"] }))).toEqual([]);
  const city = { type: "object", description: "Where", properties: { name: { type: "string" } } };
  const schema = { properties: { to: { $ref: "#/$defs/City" } }, $defs: { City: city } };
  expect(found("undescribed-parameter", tool({ inputSchema: schema }))).toEqual([]);
});

describe("wide-type", () => {
  test.each<[string, object]>([
    ["any JSON", { description: "What to keep" }],
    ["any object", { type: "object" }],
    ["a list of anything", { type: "array" }],
    ["a property of any JSON", { type: "object", properties: { inner: {} }, additionalProperties: false }],
    ["a list of any objects", { type: "array", items: { type: "object" } }],
    ["values in words only", { type: "string", description: "Either 'asc' or 'desc'" }],
  ])("finds %s", (_, schema) => {
    expect(found("wide-type", withParameter("x", schema))).toHaveLength(1);
  });

  test.each<[string, object]>([
    ["a record", { type: "object", additionalProperties: {} }],
    ["an example in the description", { type: "string", description: 'City name, such as "Paris"' }],
    [
      "a list of values that the type has",
      { type: "string", enum: ["a", "b"], description: 'One of "a", "b"' },
    ],
    ["a pattern", { type: "string", pattern: "^[ab]$", description: 'One of "a", "b"' }],
  ])("leaves %s alone", (_, schema) => {
    expect(found("wide-type", withParameter("x", schema))).toEqual([]);
  });

  test.each([
    "One of: open, closed, pending",
    '"open", "closed" or "pending"',
    "`open` or `closed`",
    'Status: "open" or "closed".',
    "Status (`open` or `closed`)",
    "Status: open | closed | pending",
    "open|closed",
    '"open" | "closed"',
    'One of "open", "closed"',
    "Must be one of open, closed or pending",
    "The status. Possible values: open, closed.",
    "Allowed values are open and closed",
    "The field to sort by, one of title or size",
  ])("finds the values of: %s", (description) => {
    expect(found("wide-type", withParameter("x", { type: "string", description }))).toHaveLength(1);
  });

  test.each([
    "One of the customer's orders",
    "The id of one of the customer's orders, open or closed",
    "One of: open, closed, ...",
    "One of: open, closed, etc",
    "Either an email or a phone number",
    "Either name or id",
    'A city, such as "Paris" or "Oslo"',
    'City, e.g. "Paris" or "Oslo"',
    'Text without "a" or "b"',
    'A name as in "Ada" or "Grace"',
    "A pattern such as error|warn",
    "A regular expression: error|warn",
    "string | null",
    "The date/time, open/closed",
    "Name, street and city",
    "Must be short, plain and clear",
    "The values of a row, a column or a cell",
    "Can be empty or missing",
    'A search query: "phrase" or "word"',
    'Title and text, "as is"',
  ])("finds none in: %s", (description) => {
    expect(found("wide-type", withParameter("x", { type: "string", description }))).toEqual([]);
  });

  test("does not follow a type into itself for ever", () => {
    const node = { type: "object", properties: { next: { $ref: "#/$defs/Node" } } };
    const schema = { type: "object", properties: { x: { $ref: "#/$defs/Node" } }, $defs: { Node: node } };
    expect(found("wide-type", tool({ inputSchema: schema }))).toEqual([]);
  });
});

describe("natural-default", () => {
  const id = { id: { type: "string" } };
  test.each<[string, object]>([
    ["includeClosed", { type: "boolean" }],
    ["dry_run", { type: "boolean" }],
    ["limit", { type: "integer" }],
    ["maxResults", { type: "number" }],
    ["sort", { enum: ["asc", "desc"], type: "string" }],
  ])("finds %s", (name, schema) => {
    expect(found("natural-default", withParameter(name, schema, id))).toHaveLength(1);
  });

  test.each<[string, object]>([
    ["isOpen", { type: "boolean" }],
    ["price", { type: "number" }],
    ["limit", { type: "string" }],
  ])("leaves %s alone", (name, schema) => {
    expect(found("natural-default", withParameter(name, schema, id))).toEqual([]);
  });

  test("leaves a tool's only parameter alone", () => {
    expect(found("natural-default", withParameter("limit", { type: "number" }))).toEqual([]);
  });
});

describe("unknown-parameter", () => {
  const inputSchema = {
    type: "object",
    properties: { options: { type: "object", properties: { coats: { type: "number" } } } },
  };
  const parameters = [at(3, "options"), at(3, "context")];
  const documenting = (...names: string[]): CheckedTool =>
    tool({
      inputSchema,
      source: { place: at(3).place, parameters, documented: names.map((name) => at(2, name)) },
    });

  test("takes parameters, hidden ones too, and their properties", () => {
    expect(
      found("unknown-parameter", documenting("options", "options.coats", "context", "context.user")),
    ).toEqual([]);
  });

  test("takes the variable that a property becomes", () => {
    const pattern = { ...at(3, "{ a: x }"), elements: [{ ...at(3, "a"), variable: "x" }] };
    const source = (...names: string[]): CheckedTool =>
      tool({
        source: { place: at(3).place, parameters: [pattern], documented: names.map((name) => at(2, name)) },
      });
    expect(found("unknown-parameter", source("a", "x"))).toEqual([]);
    expect(found("unknown-parameter", source("a", "y"))).toHaveLength(1);
  });

  test("looks into the elements of lists", () => {
    const element = { type: "object", properties: { day: { type: "string" } } };
    const list = { type: "array", items: element };
    const source = (...names: string[]): CheckedTool =>
      tool({
        inputSchema: { type: "object", properties: { trip: { type: "object", properties: { list } }, list } },
        source: {
          place: at(3).place,
          parameters: [at(3, "trip"), at(3, "list")],
          documented: names.map((name) => at(2, name)),
        },
      });
    expect(found("unknown-parameter", source("trip.list[].day", "list[].day", "list"))).toEqual([]);
    expect(
      found("unknown-parameter", source("trip.list[].days", "list[].days", "trip.list.on")),
    ).toHaveLength(3);
  });

  test("finds misspelt parameters and properties", () => {
    expect(found("unknown-parameter", documenting("option", "options.coat"))).toEqual([
      "The doc comment of findTrains names the parameter option, which does not exist.",
      "The doc comment of findTrains names the parameter options.coat, which does not exist.",
    ]);
  });

  test("lets the first entry of a destructured parameter name the whole", () => {
    const pattern = { ...at(3, "{ from, to }"), elements: [at(3, "from"), at(3, "to")] };
    const source = (...names: string[]): CheckedTool =>
      tool({
        source: { place: at(3).place, parameters: [pattern], documented: names.map((name) => at(2, name)) },
      });
    expect(found("unknown-parameter", source("trip", "trip.from", "to"))).toEqual([]);
    expect(found("unknown-parameter", source("trip", "trip.form"))).toHaveLength(1);
    expect(found("unknown-parameter", source("from", "trip"))).toHaveLength(1);
    expect(found("unknown-parameter", source("form"))).toHaveLength(1);
  });
});

describe("schema-limits", () => {
  test("finds objects that stand too deep within each other, through lists and references", () => {
    const nested = (depth: number): object =>
      depth === 0
        ? { type: "string" }
        : { type: "object", properties: { a: { type: "array", items: nested(depth - 1) } } };
    expect(found("schema-limits", withParameter("x", nested(9)))).toEqual([]);
    expect(found("schema-limits", withParameter("x", nested(10)))).toEqual([
      "The schema of findTrains has 11 levels of nested objects; OpenAI takes 10 in strict mode.",
    ]);
  });

  test("finds a large enum of long values", () => {
    const values = Array.from({ length: 251 }, (_, index) => `${"long ".repeat(12)}${index}`);
    const [message = ""] = found("schema-limits", withParameter("x", { enum: values }));
    expect(message).toContain("characters in the values of one enum of more than 250; OpenAI takes 15000");
    expect(found("schema-limits", withParameter("x", { enum: values.slice(1) }))).toEqual([]);
  });

  test("counts what Anthropic takes of all strict tools of an agent together", () => {
    const optional = { type: "object", properties: { a: { type: "string" }, b: { type: "string" } } };
    const tools = Array.from({ length: 13 }, (_, index) =>
      tool({ name: `tool${index}`, strict: true, inputSchema: optional }),
    );
    const agent = { name: "Desk", place: at(9).place, tools, toolCount: tools.length };
    const files = [{ file: "/tools.ts", tools, exported: [], agents: [agent] }];
    const messages = check(files, {}, { unusable: [], "schema-drift": [] })
      .filter(({ rule }) => rule === "schema-limits")
      .map(({ message, level }) => `${level}: ${message}`);
    expect(messages).toEqual([
      "error: The agent Desk has 26 optional parameters in its strict tools; Anthropic takes 24 in a request.",
    ]);
  });
});

test("a level that was set holds over what a finding says of itself", () => {
  const strict = tool({
    strict: true,
    inputSchema: { enum: Array.from({ length: 1_001 }, (_, index) => index) },
  });
  const files = [{ file: "/tools.ts", tools: [strict], exported: [strict], agents: [] }];
  const levels = (set: "off" | "warn" | undefined): string[] =>
    check(files, set ? { "schema-limits": set } : {}, { unusable: [], "schema-drift": [] })
      .filter(({ rule }) => rule === "schema-limits")
      .map(({ level }) => level);
  expect(levels(undefined)).toEqual(["error"]);
  expect(levels("warn")).toEqual(["warn"]);
  expect(levels("off")).toEqual([]);
});

test("reports names that a provider does not accept, with the replacement that is sent", () => {
  expect(found("provider-name", tool({ name: "a".repeat(65) }))[0]).toContain(
    "has 65 characters, and OpenAI takes 64",
  );
  expect(found("provider-name", tool({ name: "find trains" }))[0]).toContain("models see find_trains_");
});

test("names that only case and separators tell apart are found, and names of other tools are not", () => {
  const other = tool({ name: "find_trains", source: { place: at(5).place } });
  expect(found("name-clash", tool({}), other)).toEqual([
    "find_trains is easily taken for findTrains on line 1.",
  ]);
  expect(found("name-clash", tool({}), tool({ name: "findTrain", source: { place: at(5).place } }))).toEqual(
    [],
  );
});
