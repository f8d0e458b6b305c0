import { expect, test } from "vitest";
import { describeFixture } from "../fixtures/describe-fixture.ts";

const described = await describeFixture("shapes.ts");

/** The input schema of a function in the fixture. */
function inputOf(name: string): unknown {
  const description = described.get(name);
  return description !== undefined && "inputSchema" in description ? description.inputSchema : description;
}

/** A closed object schema. */
function object(properties: object, required?: readonly string[]): object {
  return {
    type: "object",
    properties,
    ...(required ? { required } : {}),
    additionalProperties: false,
  };
}

const address = {
  type: "object",
  description: "A postal address.",
  properties: {
    street: { type: "string" },
    country: { type: "string", description: "Two letters, as in ISO 3166.", pattern: "^[A-Z]{2}$" },
  },
  required: ["street", "country"],
  additionalProperties: false,
};
const id = { type: "string", description: "Unique.", format: "uuid" };
const age = { type: "number", description: "Age in years.", minimum: 0, maximum: 150 };
const person = {
  type: "object",
  description: "A person in the directory.",
  properties: { id, age, address, nickname: { type: "string" } },
  required: ["id", "address"],
  additionalProperties: false,
};

test("primitives have their JSON type, and unknown accepts anything", () => {
  expect(inputOf("primitives")).toEqual(
    object(
      {
        text: { type: "string" },
        count: { type: "number" },
        flag: { type: "boolean" },
        nothing: { type: "null" },
        any: {},
      },
      ["text", "count", "flag", "nothing", "any"],
    ),
  );
});

test("a single literal is a const", () => {
  expect(inputOf("literals")).toEqual(
    object(
      {
        one: { type: "string", const: "only" },
        seven: { type: "number", const: 7 },
        yes: { type: "boolean", const: true },
      },
      ["one", "seven", "yes"],
    ),
  );
});

test("unions keep the order in which they were written, also through aliases and constant arrays", () => {
  expect(inputOf("unions")).toEqual(
    object(
      {
        unit: { type: "string", enum: ["kelvin", "celsius", "fahrenheit"] },
        step: { type: "number", enum: [3, 1, 2] },
        mixed: { type: ["string", "number", "boolean", "null"], enum: ["z", 1, true, null] },
        either: { type: ["string", "number"] },
        nullable: { type: ["string", "null"] },
        flag: { type: ["boolean", "null"] },
        open: { anyOf: [{ type: "string", const: "auto" }, { type: "number" }] },
        priority: { type: "string", description: "How urgent it is.", enum: ["urgent", "normal", "low"] },
        more: { type: "string", enum: ["highest", "urgent", "normal", "low"] },
        fromArray: { type: "string", enum: ["kelvin", "celsius", "fahrenheit"] },
      },
      ["unit", "step", "mixed", "either", "nullable", "flag", "open", "priority", "more", "fromArray"],
    ),
  );
});

test("an enum is the list of its values in their order", () => {
  const role = { type: "string", description: "A role.", enum: ["owner", "admin", "guest"] };
  expect(inputOf("enums")).toEqual(
    object(
      {
        role,
        level: { type: "number", description: "0: Low, 1: Middle, 10: High", enum: [0, 1, 10] },
        roles: { type: "array", items: role },
        one: { type: "string", const: "admin" },
      },
      ["role", "level", "roles", "one"],
    ),
  );
});

test("arrays, readonly ones too, describe their items", () => {
  const ordered = { type: "array", items: { type: "string", enum: ["z", "a"] } };
  expect(inputOf("arrays")).toEqual(
    object(
      {
        names: { type: "array", items: { type: "string" } },
        scores: { type: "array", items: { type: "number" } },
        people: { type: "array", items: object({ name: { type: "string" } }, ["name"]) },
        grid: { type: "array", items: { type: "array", items: { type: "number" } } },
        ordered,
        maybe: ordered,
      },
      ["names", "scores", "people", "grid", "ordered"],
    ),
  );
});

test("tuples describe each position, optional elements and the rest", () => {
  expect(inputOf("tuples")).toEqual(
    object(
      {
        point: {
          type: "array",
          prefixItems: [{ type: "number" }, { type: "number" }],
          items: false,
          minItems: 2,
          maxItems: 2,
        },
        named: {
          type: "array",
          prefixItems: [{ type: "number" }, { type: "string", enum: ["z", "a"] }],
          items: false,
          minItems: 1,
          maxItems: 2,
        },
        open: { type: "array", prefixItems: [{ type: "string" }], items: { type: "number" }, minItems: 1 },
      },
      ["point", "named", "open"],
    ),
  );
});

test("nested objects are closed and keep their comments", () => {
  const place = { description: "Where it is.", ...object({ latitude: { type: "number" } }, ["latitude"]) };
  expect(inputOf("objects")).toEqual(
    object(
      {
        options: object(
          {
            where: object({ city: { type: "string" }, place }, ["city"]),
            list: { type: "array", items: object({ id: { type: "number" } }, ["id"]) },
          },
          ["where", "list"],
        ),
      },
      ["options"],
    ),
  );
});

test("records and index signatures describe their values", () => {
  expect(inputOf("records")).toEqual(
    object(
      {
        prices: { type: "object", additionalProperties: { type: "number" } },
        index: { type: "object", additionalProperties: { type: "string", enum: ["z", "a"] } },
        fixed: object({ x: { type: "boolean" }, y: { type: "boolean" } }, ["x", "y"]),
        loose: {
          type: "object",
          properties: { known: { type: "string" } },
          required: ["known"],
          additionalProperties: { type: "string" },
        },
      },
      ["prices", "index", "fixed", "loose"],
    ),
  );
});

test("types of other files come with their comments and constraints, instantiated", () => {
  const cursor = { type: ["string", "null"], description: "Where to go on." };
  const page = object({ items: { type: "array", items: person }, cursor }, ["items", "cursor"]);
  expect(inputOf("imported")).toEqual(object({ person, page }, ["person", "page"]));
});

test("derived, joined and branded types are described by what they come to", () => {
  expect(inputOf("derived")).toEqual(
    object(
      {
        some: object({ id, age }, ["id"]),
        partial: object({ id, age, address, nickname: { type: "string" } }),
        both: object({ x: { type: "number" }, y: { type: "string" } }, ["x", "y"]),
        id: { type: "string" },
      },
      ["some", "partial", "both", "id"],
    ),
  );
});

test("recursive types refer to their definition", () => {
  const tree = { $ref: "#/$defs/Tree" };
  const json = { $ref: "#/$defs/Json" };
  expect(inputOf("recursive")).toEqual({
    ...object({ tree, json }, ["tree", "json"]),
    $defs: {
      Tree: object({ label: { type: "string" }, children: { type: "array", items: tree } }, ["label"]),
      Json: {
        anyOf: [
          { type: "string" },
          { type: "number" },
          { type: "boolean" },
          { type: "array", items: json },
          { type: "object", additionalProperties: json },
          { type: "null" },
        ],
      },
    },
  });
});

test("a union of objects is one of them", () => {
  const square = object({ kind: { type: "string", const: "square" }, side: { type: "number" } }, [
    "kind",
    "side",
  ]);
  const circle = object({ kind: { type: "string", const: "circle" }, radius: { type: "number" } }, [
    "kind",
    "radius",
  ]);
  expect(inputOf("discriminated")).toEqual(object({ shape: { anyOf: [square, circle] } }, ["shape"]));
});

test("a type parameter stands for what it extends", () => {
  expect(inputOf("generic")).toEqual(object({ item: object({ id: { type: "string" } }, ["id"]) }, ["item"]));
});

test("the same file gives the same text of schemas, key by key", async () => {
  const again = await describeFixture("shapes.ts");
  expect(JSON.stringify([...again])).toBe(JSON.stringify([...described]));
});
