import { expect, test } from "vitest";
import { parseDocComment } from "./doc-comments.ts";
import { describeFixture } from "./fixtures/describe-fixture.ts";

const described = await describeFixture("comments.ts");

/** The properties of a function's input in the fixture. */
function propertiesOf(name: string): unknown {
  const description = described.get(name);
  return description !== undefined && "inputSchema" in description
    ? description.inputSchema["properties"]
    : description;
}

test("summary, parameters and constraints of a doc comment reach the schema", () => {
  expect(described.get("book")).toMatchObject({
    description: "Books a table.\n\nAsk for the day first.",
  });
  expect(propertiesOf("book")).toEqual({
    name: { type: "string", description: "Name of the guest, see a person" },
    age: { type: "integer", description: "Age in years", minimum: 0, exclusiveMaximum: 150 },
    mail: { type: "string", description: "Address such as me@example.com", format: "email" },
    tags: {
      type: "array",
      description: "some words",
      items: { type: "string" },
      minItems: 1,
      maxItems: 3,
      uniqueItems: true,
    },
    code: {
      type: "string",
      pattern: "^[A-Z]{3}$",
      minLength: 3,
      maxLength: 3,
      examples: ["ABC", "XYZ"],
    },
    seats: { type: "number", description: "how many", default: 2 },
    note: { type: "string", default: "none", deprecated: true },
  });
});

test("a function is deprecated by a tag of its own, not by one of a parameter", () => {
  expect(described.get("old")).toMatchObject({ description: "Old.", deprecated: true });
  expect(described.get("book")).not.toHaveProperty("deprecated");
});

test("a comment on one line, and comments within the parameter list, are read", () => {
  expect(described.get("oneLine")).toMatchObject({ description: "One line." });
  expect(propertiesOf("oneLine")).toEqual({ city: { type: "string", description: "the city" } });
  expect(propertiesOf("inner")).toEqual({
    city: { type: "string", description: "The city." },
    days: { type: "number", description: "Days.", minimum: 1 },
  });
});

test("a property's comment is read where it stands on the line of the property before", () => {
  expect(propertiesOf("sameLine")).toMatchObject({
    at: { properties: { b: { type: "number", description: "The second.", minimum: 1 } } },
  });
});

test("comments that are not doc comments describe nothing", () => {
  expect(described.get("plainComment")).not.toHaveProperty("description");
});

test("code in a comment holds no tags", () => {
  expect(described.get("code")).toMatchObject({
    description: "Shows code:\n```ts\n@decorated\n```\nand `@minimum` in text.",
  });
});

test("a tag that does not suit the type or cannot be read is left out with a warning", () => {
  expect(propertiesOf("wrongTags")).toEqual({ size: { type: "number", description: "Size." } });
  expect(described.get("wrongTags")).toHaveProperty("warnings", [
    expect.stringContaining('parameter "size": @minLength says nothing about its type, which is not string'),
    expect.stringContaining('parameter "size": @minimum needs a number, not "much"'),
  ]);
});

test("a number that no keyword of JSON Schema can have is left out with a warning", () => {
  expect(propertiesOf("impossibleTags")).toEqual({
    size: { type: "number", description: "Size." },
    name: { type: "string", description: "Name." },
  });
  expect(described.get("impossibleTags")).toHaveProperty("warnings", [
    expect.stringContaining('parameter "size": @multipleOf needs a number above 0, not "0"'),
    expect.stringContaining('parameter "name": @minLength needs a whole number of at least 0, not "-1"'),
    expect.stringContaining('parameter "name": @maxLength needs a whole number of at least 0, not "2.5"'),
  ]);
});

test("a parameter may carry a type with braces, a default in brackets, and text over several lines", () => {
  const doc = parseDocComment("/**\n * @param {{ a: {} }} [x={}] - one\n *   two\n * @param y: three\n */");
  expect([...doc.parameters]).toEqual([
    ["x", { description: "one\n  two", tags: [{ name: "default", text: "{}", isOfBrackets: true }] }],
    ["y", { description: "three", tags: [] }],
  ]);
});

/** A comment's summary, and its parameters with their descriptions. */
function read(comment: string): readonly [string, Readonly<Record<string, string>>] {
  const { summary, parameters } = parseDocComment(comment);
  return [summary, Object.fromEntries([...parameters].map(([name, { description }]) => [name, description]))];
}

const cityAndDays = { city: "City name,\nsuch as Paris.", days: "How many." };

test("sections of Google's style are parameters", () => {
  const comment = `/**
   * Gets the weather.
   *
   * It asks a satellite.
   *
   * Args:
   *   city (str): City name,
   *     such as Paris.
   *
   *   days (int, optional): How many.
   *
   * Returns:
   *   The weather.
   *
   * Raises:
   *   ValueError: Never.
   */`;
  expect(read(comment)).toEqual(["Gets the weather.\n\nIt asks a satellite.", cityAndDays]);
});

test("sections of NumPy's style are parameters", () => {
  const comment = `/**
   * Gets the weather.
   *
   * Parameters
   * ----------
   * city : str
   *     City name,
   *     such as Paris.
   * days, nights : int, optional
   *     How many.
   *
   * Returns
   * -------
   * str
   *     The weather.
   */`;
  expect(read(comment)).toEqual(["Gets the weather.", { ...cityAndDays, nights: "How many." }]);
});

test("fields of reStructuredText and of Epydoc are parameters", () => {
  const rest = `/**
   * Gets the weather.
   *
   * :param str city: City name,
   *     such as Paris.
   * :type city: str
   * :param days: How many.
   * :returns: The weather.
   * :raises ValueError: Never.
   */`;
  const epydoc = `/**
   * Gets the weather.
   * @param city: City name,
   *   such as Paris.
   * @type city: str
   * @param days: How many.
   * @return: The weather.
   */`;
  expect(read(rest)).toEqual(["Gets the weather.", cityAndDays]);
  expect(read(epydoc)).toEqual([
    "Gets the weather.",
    { ...cityAndDays, city: "City name,\n  such as Paris." },
  ]);
});

test("constraints in any style are constraints", () => {
  const comment = "/**\n * Rates.\n *\n * Args:\n *   stars: From 1 to 5. @minimum 1 @maximum 5\n */";
  expect(parseDocComment(comment).parameters.get("stars")).toEqual({
    description: "From 1 to 5.",
    tags: [
      { name: "minimum", text: "1" },
      { name: "maximum", text: "5" },
    ],
  });
});

test("text that only looks like a section stays text", () => {
  const texts = [
    "Note: this is slow.",
    "Arguments:\n\nthere are none.",
    "Parameters\nare many.",
    "```\nArgs:\n  city: No.\n```",
    "See :ref: and a: b.",
  ];
  for (const text of texts) expect(read(`/**\n${text.replaceAll(/^/gm, " * ")}\n */`)).toEqual([text, {}]);
});

test("a comment of the whole file does not describe what comes next", () => {
  expect(described.get("afterFileComment")).not.toHaveProperty("description");
});
