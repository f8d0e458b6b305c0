import { expect, test } from "vitest";
import { describeFixture } from "../fixtures/describe-fixture.ts";

const described = await describeFixture("named-parts.ts");

/** The properties of a function's input in the fixture. */
function propertiesOf(name: string): unknown {
  const description = described.get(name);
  return description !== undefined && "inputSchema" in description
    ? description.inputSchema["properties"]
    : description;
}

const code = { type: "string", description: "Digits.", pattern: String.raw`^\d+$` };
const positive = { type: "number", description: "At least one.", minimum: 1 };
const auto = { type: "string", const: "auto" };
const euros = { type: "number", description: "Between.", minimum: 1, maximum: 100 };

test("constraints of a named type do not hold for the literals beside it", () => {
  expect(propertiesOf("besideLiterals")).toEqual({
    code: { anyOf: [code, auto] },
    amount: {
      anyOf: [positive, { type: "number", const: -1 }, { type: "string", const: "unlimited" }],
    },
    maybe: { anyOf: [code, auto, { type: "null" }] },
    limited: {
      description: "Up to nine.",
      anyOf: [positive, { type: "number", const: 0 }],
      maximum: 9,
    },
    level: { anyOf: [positive, { type: "number", enum: [0, 9] }] },
    codes: { type: "array", items: { anyOf: [code, { type: "string", const: "all" }] } },
    initial: { anyOf: [positive, { type: "number", const: 0 }], default: 0 },
  });
  expect(described.get("besideLiterals")).not.toHaveProperty("warnings");
});

test("where nothing tells a part from the rest, its constraints are left out with a warning", () => {
  const text = { type: "string" };
  expect(propertiesOf("mingled")).toMatchObject({ both: text, open: { properties: { code: text } }, text });
  expect(JSON.stringify(propertiesOf("mingled"))).not.toMatch(/pattern|maxLength/);
  expect(described.get("mingled")).toHaveProperty("warnings", [
    expect.stringContaining('parameter "both": the constraints of Code and Short are left out'),
    expect.stringContaining('parameter "open.code": the constraints of Code are left out'),
    expect.stringContaining('parameter "text": the constraints of Code are left out'),
  ]);
  expect(JSON.stringify(propertiesOf("generic"))).not.toMatch(/minimum/);
  expect(described.get("generic")).toHaveProperty("warnings", [
    expect.stringContaining('parameter "box.value": the constraints of Euros are left out'),
  ]);
});

test("types without constraints stay what they are beside literals", () => {
  expect(propertiesOf("unlimited")).toEqual({
    size: { type: "number" },
  });
});

test("constraints hold in parentheses, beside undefined, in lists and behind the access to a property", () => {
  expect(propertiesOf("inPlace")).toEqual({
    absent: euros,
    grouped: euros,
    within: expect.objectContaining({ properties: { euros } }),
    list: { type: "array", items: euros },
    limit: { type: "number", description: "The most.", maximum: 100 },
    price: euros,
    element: euros,
    record: { type: "object", additionalProperties: euros },
  });
  expect(described.get("inPlace")).not.toHaveProperty("warnings");
});

test("the elements of a generic list are of the argument that it names", () => {
  expect(propertiesOf("otherArgument")).toMatchObject({
    list: { type: "array", items: { type: "string" } },
    codes: { type: "array", items: code },
  });
  expect(JSON.stringify(propertiesOf("otherArgument")).match(/pattern/g)).toHaveLength(1);
});

test("a warning names what generic types erase, and nothing that counts where it leads to", () => {
  const lost = (path: string, name: string): unknown =>
    expect.stringContaining(`parameter "${path}": the constraints of ${name} are left out`);
  expect(described.get("erased")).toHaveProperty("warnings", [
    lost("holder", "Euros"),
    lost("maybe", "Euros"),
    lost("record", "Euros"),
    lost("inner.holder[]", "Code"),
  ]);
  expect(described.get("noneErased")).not.toHaveProperty("warnings");
});

test("constraints hold for a parameter without a type, as the expected function type writes it", () => {
  expect(propertiesOf("expected")).toEqual({ to: { type: "string" }, euros, tip: euros });
  expect(propertiesOf("filledIn")).toEqual({ value: { type: "number" } });
});

test("a named union keeps its comment where undefined is added", () => {
  const stage = { type: "string", description: "A stage.", enum: ["planned", "done"], maxLength: 9 };
  const part = { anyOf: [code, auto] };
  expect(propertiesOf("optional")).toMatchObject({
    stage,
    within: { properties: { stage: { enum: ["planned", "done", null] }, code: part } },
  });
});

test("constraints hold in index signatures of interfaces and classes, and in every part of a tuple", () => {
  const values = { type: "object", additionalProperties: euros };
  expect(propertiesOf("inSignatures")).toMatchObject({
    ofInterface: values,
    ofClass: values,
    inherited: values,
    two: { patternProperties: expect.objectContaining({}), additionalProperties: false },
  });
  expect(JSON.stringify(propertiesOf("inSignatures"))).toContain(JSON.stringify(code.pattern));
  expect(propertiesOf("inTuples")).toEqual({
    labelled: { type: "array", prefixItems: [euros], items: euros, minItems: 1 },
    onlyRest: { type: "array", items: euros },
  });
});

test("constraints of a named union hold beside null and beside other types", () => {
  const id = { description: "One or the other.", minimum: 1, maxLength: 8 };
  const orNull = { ...id, type: ["number", "string", "null"] };
  expect(propertiesOf("unionBeside")).toMatchObject({
    orNull,
    orFlag: {
      anyOf: [{ type: "number", minimum: 1 }, { type: "string", maxLength: 8 }, { type: "boolean" }],
    },
    within: { properties: { id: orNull } },
  });
});
