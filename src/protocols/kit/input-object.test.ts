import { describe, expect, test } from "vitest";
import { InvalidInputError } from "../../errors.ts";
import { InputObject, readBody, textAt } from "./input-object.ts";

/** What reading throws. */
function errorOf(read: () => unknown): unknown {
  try {
    return read();
  } catch (error) {
    return error;
  }
}

test("own properties alone count, and null counts as absent", () => {
  const object = new InputObject(Object.create({ inherited: "x" }, { none: { value: null } }));
  for (const name of ["inherited", "none", "toString", "__proto__"]) {
    expect(object.get(name)).toBeUndefined();
    expect(object.optionalText(name)).toBeUndefined();
    expect(object.optionalObjects(name, 1)).toEqual([]);
    expect(() => object.text(name)).toThrow(InvalidInputError);
  }
  const parsed = new InputObject(JSON.parse('{"__proto__":{"a":1}}'));
  expect(parsed.get("a")).toBeUndefined();
  expect(parsed.object("__proto__").get("a")).toBe(1);
});

const object = new InputObject(
  {
    text: "four",
    empty: "",
    number: 1.5,
    list: [1, { a: 1 }],
    objects: [{ a: 1 }, { a: 2 }],
    object: { deep: { text: 7 } },
    yes: true,
  },
  "messages[0]",
);

test("what fits its limits is returned", () => {
  expect(object.text("text", 4)).toBe("four");
  expect(object.optionalText("empty")).toBe("");
  expect(object.id("text", 4)).toBe("four");
  expect(object.list("list", 2)).toEqual([1, { a: 1 }]);
  expect(object.objects("objects", 2).map(({ path }) => path)).toEqual([
    "messages[0].objects[0]",
    "messages[0].objects[1]",
  ]);
  expect(object.boolean("yes")).toBe(true);
  expect(object.optionalNumber("number", [1.5, 1.5])).toBe(1.5);
  expect(object.choice("text", ["three", "four"])).toBe("four");
  expect(object.optionalJson("list")).toEqual([1, { a: 1 }]);
  expect(object.object("object").toJson()).toEqual({ deep: { text: 7 } });
  expect(new InputObject({}).pathOf("a")).toBe("a");
});

test("JSON is a copy", () => {
  const value = { list: [{ a: 1 }] };
  const read = new InputObject(value);
  expect(read.optionalJson("list")).not.toBe(value.list);
  expect(read.toJson()).toEqual(value);
  expect(read.toJson()["list"]).not.toBe(value.list);
});

const cyclic: Record<string, unknown> = {};
cyclic["self"] = cyclic;

describe("what does not fit is refused, naming the place:", () => {
  test.each<[message: string, read: () => unknown]>([
    ["messages[0].absent must be a text.", () => object.text("absent")],
    ["messages[0].number must be a text, not 1.5.", () => object.text("number")],
    ["messages[0].text must have at most 3 characters.", () => object.optionalText("text", 3)],
    ["messages[0].empty must not be empty.", () => object.optionalId("empty")],
    ["messages[0].text must have at most 3 characters.", () => object.id("text", 3)],
    ['messages[0].text must be a list, not "four".', () => object.list("text", 1)],
    ["messages[0].list must have at most 1 items.", () => object.optionalObjects("list", 1)],
    ["messages[0].list[0] must be an object, not 1.", () => object.objects("list", 2)],
    ["messages[0].absent must be an object.", () => object.object("absent")],
    ["messages[0].list must be an object, not a list.", () => object.optionalObject("list")],
    [
      "messages[0].object.deep.text must be a text, not 7.",
      () => object.object("object").object("deep").text("text"),
    ],
    ["messages[0].absent must be true or false.", () => object.boolean("absent")],
    ['messages[0].text must be true or false, not "four".', () => object.optionalBoolean("text")],
    [
      "messages[0].number must be a number from 0 to 1, not 1.5.",
      () => object.optionalNumber("number", [0, 1]),
    ],
    [
      "messages[0].number must be a whole number from 0 to 2, not 1.5.",
      () => object.optionalNumber("number", [0, 2], true),
    ],
    ['messages[0].text must be "a", "b" or "c", not "four".', () => object.choice("text", ["a", "b", "c"])],
    ['messages[0].yes must be "a", not true.', () => object.optionalChoice("yes", ["a"])],
    ["a must be JSON of at most", () => new InputObject({ a: cyclic }).optionalJson("a")],
    [
      "a must be JSON of at most",
      () => new InputObject({ a: JSON.parse('{"__proto__":1}') }).object("a").toJson(),
    ],
    ["stop[1] must have at most 2 characters.", () => textAt("abc", "stop[1]", 2)],
    ["The body must be an object, not null.", () => new InputObject(null)],
    ["The body must be an object, not a list.", () => readBody([])],
    ["The body is nested deeper than 100 levels.", () => readBody(cyclic)],
  ])("%s", (message, read) => {
    const error = errorOf(read);
    expect(error).toBeInstanceOf(InvalidInputError);
    expect(String(error)).toContain(message);
    const path = /^(\S+)/.exec(message)?.[1];
    expect(error).toMatchObject({ data: { path: path === "The" ? "" : path } });
  });
});

test("an error repeats no more than the beginning of what the client has sent", () => {
  const long = "x".repeat(100_000);
  const error = errorOf(() => new InputObject({ role: long }).choice("role", ["user"]));
  expect(String(error).length).toBeLessThan(200);
});
