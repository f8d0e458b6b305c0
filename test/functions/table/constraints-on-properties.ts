import { got, row, theme, type Theme } from "../row.ts";
import { anyOf, boolean, list, number, object, oneOf, record, string } from "../schemas.ts";

interface Product {
  /** What it costs. @exclusiveMinimum 0 @multipleOf 0.01 */
  price: number;
  /**
   * Letters and digits.
   * @pattern ^[A-Z]\d+$
   * @example "A1"
   */
  code: string;
  /** @minItems 1 @uniqueItems */
  tags: string[];
  /** @deprecated Use tags. */
  label?: string;
}

export const constraintsOnProperties: Theme = theme("constraints on properties", [
  row(
    "of an interface",
    function sell(product: Product) {
      got(product);
    },
    {
      schema: object({
        product: object(
          {
            price: { ...number, description: "What it costs.", exclusiveMinimum: 0, multipleOf: 0.01 },
            code: { ...string, description: "Letters and digits.", pattern: "^[A-Z]\\d+$", examples: ["A1"] },
            tags: { ...list(string), minItems: 1, uniqueItems: true },
            label: { ...string, deprecated: true },
          },
          ["label"],
        ),
      }),
      accepts: [
        [{ product: { price: 0.5, code: "A1", tags: ["a"] } }, [{ price: 0.5, code: "A1", tags: ["a"] }]],
      ],
      refuses: [
        [{ product: { price: 0, code: "A1", tags: ["a"] } }, "$.product.price"],
        [{ product: { price: 1, code: "1", tags: ["a"] } }, "$.product.code"],
        [{ product: { price: 1, code: "A1", tags: [] } }, "$.product.tags"],
      ],
    },
  ),
  row(
    "of a literal of a type, on one line",
    function go(at: { x: number; /** @minimum 0 */ y: number; /** Up. @maximum 9 */ z?: number }) {
      got(at);
    },
    {
      schema: object({
        at: object(
          { x: number, y: { ...number, minimum: 0 }, z: { ...number, description: "Up.", maximum: 9 } },
          ["z"],
        ),
      }),
      accepts: [[{ at: { x: -1, y: 0 } }, [{ x: -1, y: 0 }]]],
      refuses: [
        [{ at: { x: 1, y: -1 } }, "$.at.y"],
        [{ at: { x: 1, y: 1, z: 10 } }, "$.at.z"],
      ],
    },
  ),
  row(
    "of a destructured parameter",
    function page({
      size = 10,
      from,
    }: {
      /** How many. @minimum 1 @integer */ size?: number;
      /** @format uuid */ from?: string;
    }) {
      got(size, from);
    },
    {
      schema: object(
        {
          size: { type: "integer", description: "How many.", minimum: 1, default: 10 },
          from: { ...string, format: "uuid" },
        },
        ["size", "from"],
      ),
      accepts: [[{}, [10, undefined]]],
      refuses: [
        [{ size: 0 }, "$.size"],
        [{ from: "a" }, "$.from"],
      ],
    },
  ),
  row(
    "by @param with a path",
    /**
     * @param box.width - @minimum 1
     * @param box.inner.label - What it says @maxLength 3
     */
    function wrap(box: { width: number; inner: { label: string } }) {
      got(box);
    },
    {
      schema: object({
        box: object({
          width: { ...number, minimum: 1 },
          inner: object({ label: { ...string, description: "What it says", maxLength: 3 } }),
        }),
      }),
      accepts: [[{ box: { width: 1, inner: { label: "abc" } } }, [{ width: 1, inner: { label: "abc" } }]]],
      refuses: [
        [{ box: { width: 0, inner: { label: "abc" } } }, "$.box.width"],
        [{ box: { width: 1, inner: { label: "abcd" } } }, "$.box.inner.label"],
      ],
    },
  ),
  row(
    "@default of a property",
    function show(options: {
      /** @default true */ on?: boolean;
      /** @default "small" */ size?: "small" | "large";
    }) {
      got(options);
    },
    {
      schema: object({
        options: object(
          { on: { ...boolean, default: true }, size: { ...oneOf("small", "large"), default: "small" } },
          ["on", "size"],
        ),
      }),
      accepts: [[{ options: { size: "large" } }, [{ size: "large" }]]],
      refuses: [[{ options: { size: "huge" } }, "$.options.size"]],
    },
  ),
  row(
    "of what records and lists hold",
    function rows(table: Record<string, { /** @minimum 0 */ count: number }[]>) {
      got(table);
    },
    {
      schema: object({ table: record(list(object({ count: { ...number, minimum: 0 } }))) }),
      accepts: [[{ table: { a: [{ count: 0 }] } }, [{ a: [{ count: 0 }] }]]],
      refuses: [[{ table: { a: [{ count: -1 }] } }, "$.table.a[0].count"]],
    },
  ),
  row(
    "of the members of a union",
    function add(
      item:
        | { kind: "text"; /** @minLength 1 */ text: string }
        | { kind: "size"; /** @minimum 1 */ size: number },
    ) {
      got(item);
    },
    {
      schema: object({
        item: anyOf(
          object({ kind: { type: "string", const: "text" }, text: { ...string, minLength: 1 } }),
          object({ kind: { type: "string", const: "size" }, size: { ...number, minimum: 1 } }),
        ),
      }),
      accepts: [[{ item: { kind: "text", text: "a" } }, [{ kind: "text", text: "a" }]]],
      refuses: [
        [{ item: { kind: "text", text: "" } }, "$.item.text"],
        [{ item: { kind: "size", size: 0 } }, "$.item.size"],
      ],
    },
  ),
  row(
    "kept by utility types",
    function patch(product: Partial<Pick<Product, "price" | "code">>) {
      got(product);
    },
    {
      schema: object({
        product: object(
          {
            price: { ...number, description: "What it costs.", exclusiveMinimum: 0, multipleOf: 0.01 },
            code: { ...string, description: "Letters and digits.", pattern: "^[A-Z]\\d+$", examples: ["A1"] },
          },
          ["price", "code"],
        ),
      }),
      accepts: [[{ product: { code: "B2" } }, [{ code: "B2" }]]],
      refuses: [[{ product: { code: "b2" } }, "$.product.code"]],
    },
  ),
]);
