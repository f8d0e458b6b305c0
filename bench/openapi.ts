import { openapi } from "skein/openapi";
import { processorTime, medians } from "./measure.ts";
import type { Row } from "./table.ts";

const operations = 1_000;

/** What it takes to make tools of the thousand operations of a document of OpenAPI 3.0, which is brought to 3.1 first. */
export async function openapiRows(): Promise<readonly Row[]> {
  const text = JSON.stringify(document());
  const taken = await medians({
    floor: () => processorTime(async () => JSON.parse(text), 1),
    skein: () => processorTime(() => openapi(text).tools(), 1),
    heap: () => heapOf(() => openapi(text).tools()),
  });
  const what = `openapi: ${operations} operations, ${Math.round(text.length / 1000)} KB of JSON`;
  return [
    { what, unit: "ms", floor: taken("floor"), skein: taken("skein"), limit: { of: "skein", most: 1_000 } },
    {
      what: "openapi: memory while they load",
      unit: "KB",
      skein: taken("heap"),
      limit: { of: "skein", most: 150_000 },
    },
  ];
}

/** Kilobytes that the process has come to need, what is garbage by then included. */
async function heapOf(work: () => Promise<unknown>): Promise<number> {
  globalThis.gc?.();
  const before = process.memoryUsage().heapUsed;
  const kept = await work();
  const after = process.memoryUsage().heapUsed;
  return kept === undefined ? Number.NaN : Math.max(after - before, 0) / 1000;
}

/** As large APIs are: shared parameters, bodies that refer to schemas that refer to others, long descriptions. */
function document(): unknown {
  const words = "Everything that there is to say about it, at some length, as documents do. ";
  const reference = (index: number): unknown => ({ $ref: `#/components/schemas/Thing${index % 300}` });
  const schema = (index: number): unknown => ({
    type: "object",
    required: ["id", "name"],
    properties: {
      id: { type: "integer", readOnly: true },
      name: { type: "string", description: words, example: "x" },
      note: { type: "string", nullable: true },
      kind: { type: "string", enum: ["small", "large"] },
      parts: { type: "array", items: reference(index + 1) },
      owner: { allOf: [reference(index + 7)], nullable: true },
    },
  });
  const operation = (index: number): unknown => ({
    operationId: `thing-${index}`,
    tags: [`group ${index % 20}`],
    summary: `Do thing number ${index}`,
    description: words.repeat(8),
    parameters: [
      { $ref: "#/components/parameters/limit" },
      { name: "filter", in: "query", style: "deepObject", schema: reference(index), description: words },
      { name: "id", in: "path", required: true, schema: { type: "string" } },
    ],
    requestBody: { required: true, content: { "application/json": { schema: reference(index) } } },
    responses: {
      200: { description: "done", content: { "application/json": { schema: reference(index) } } },
    },
  });
  const named = (count: number, name: string, make: (index: number) => unknown): unknown =>
    Object.fromEntries(
      Array.from({ length: count }, (_, index) => [name.replace("#", `${index}`), make(index)]),
    );
  return {
    openapi: "3.0.3",
    info: { title: "Bench", version: "1" },
    servers: [{ url: "https://api.example" }],
    paths: named(operations, "/things#/{id}", (index) => ({ post: operation(index) })),
    components: {
      parameters: { limit: { name: "limit", in: "query", schema: { type: "integer" } } },
      schemas: named(300, "Thing#", schema),
    },
  };
}
