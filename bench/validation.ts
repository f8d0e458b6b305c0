import { compileSchema, type JsonSchema } from "skein";
import { processorTime, medians } from "./measure.ts";
import type { Row } from "./table.ts";

const text = { type: "string", minLength: 1, maxLength: 200 };

/** An object with three more within it: 19 properties in all, every kind of check among them. */
const schema: JsonSchema = {
  type: "object",
  properties: {
    id: { type: "string", pattern: "^[a-z]+-\\d+$" },
    name: text,
    active: { type: "boolean" },
    age: { type: "integer", minimum: 0, maximum: 150 },
    score: { type: "number" },
    tags: { type: "array", items: { type: "string" }, maxItems: 10 },
    notes: { type: ["string", "null"] },
    address: {
      type: "object",
      properties: {
        street: text,
        city: text,
        zip: { type: "string", pattern: "^\\d{5}$" },
        country: { enum: ["DE", "FR", "US"] },
        position: {
          type: "object",
          properties: {
            latitude: { type: "number", minimum: -90, maximum: 90 },
            longitude: { type: "number", minimum: -180, maximum: 180 },
          },
          required: ["latitude", "longitude"],
          additionalProperties: false,
        },
      },
      required: ["street", "city", "zip", "country"],
      additionalProperties: false,
    },
    contact: {
      type: "object",
      properties: {
        phone: text,
        since: { type: "string", format: "date" },
        preferred: { enum: ["email", "phone"] },
      },
      required: ["phone"],
      additionalProperties: false,
    },
  },
  required: ["id", "name", "active", "age", "address", "contact"],
  additionalProperties: false,
};

const value = {
  id: "user-12",
  name: "Ada Lovelace",
  active: true,
  age: 36,
  score: 9.5,
  tags: ["mathematics", "engines"],
  notes: null,
  address: {
    street: "St James's Square 12",
    city: "London",
    zip: "12345",
    country: "US",
    position: { latitude: 51.5, longitude: -0.13 },
  },
  contact: { phone: "0123", since: "1833-06-05", preferred: "phone" },
};

const wrong = { ...value, age: "36", address: { ...value.address, country: "UK" } };

/** How fast the object is validated, and how long its schema takes to compile. */
export async function validationRows(): Promise<readonly Row[]> {
  const compiled = compileSchema(schema);
  const batch = 20_000;
  const taken = await medians({
    validate: async () =>
      (await processorTime(async () => repeat(batch, () => compiled.validate(value).ok), 5)) / batch,
    explain: async () =>
      (await processorTime(async () => repeat(200, () => compiled.validate(wrong).ok), 5)) / 200,
    // Compiled at the first validation, and once for each schema object.
    compile: async () =>
      processorTime(async () => compileSchema(structuredClone(schema)).validate(value), 10),
  });
  return [
    {
      what: "validation of 19 properties (2.5 us: 400,000 a second)",
      unit: "us",
      skein: taken("validate") * 1000,
      limit: { of: "skein", most: 2.5 },
    },
    { what: "  where two of them are wrong, with the issues", unit: "us", skein: taken("explain") * 1000 },
    {
      what: "compiling that schema",
      unit: "ms",
      skein: taken("compile"),
      limit: { of: "skein", most: 2 },
    },
  ];
}

function repeat(times: number, work: () => boolean): void {
  for (let count = 0; count < times; count++) work();
}
