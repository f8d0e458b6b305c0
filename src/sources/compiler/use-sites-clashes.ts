import type { FunctionSchema } from "../../schema/function-schema.ts";
import { placeText } from "./diagnostics.ts";
import type { Node } from "./host.ts";

/** A function that stands at a place where a tool is expected, with the schema that it has there. */
export interface FunctionUse {
  readonly name: string;
  /** Tells it from other functions. */
  readonly declared: string;
  /** `file:line` of the expression. */
  readonly place: string;
  /** Whether the schema is that of the expression's type alone, as for an instance of a generic class. */
  readonly isInstance: boolean;
  /** The schema of the arguments, and how they are placed. */
  readonly takes: string;
}

/** What a function is where an expression uses it as a tool. */
export function functionUse(node: Node, expression: Node, schema: FunctionSchema): FunctionUse {
  const { name, inputSchema, parameters, revive, instance } = schema;
  return {
    name,
    declared: `${node.getSourceFile().fileName}:${node.pos}`,
    place: placeText(expression),
    isInstance: instance === true,
    takes: JSON.stringify([inputSchema, parameters, revive]),
  };
}

/** The functions that have several schemas, of which no program could know which one counts: one message each. */
export function findClashes(uses: readonly FunctionUse[]): readonly string[] {
  const byFunction = Map.groupBy(uses, ({ declared }) => declared);
  return [...byFunction.values()].flatMap(([first, ...others]) => {
    const other = others.find(
      ({ takes, isInstance }) => takes !== first?.takes && (isInstance || first?.isInstance),
    );
    if (first === undefined || other === undefined) return [];
    return [
      `${other.place}: no schema can be attached to ${first.name}: it is used with several types, here and at ${first.place}, ` +
        "and a function has one schema. Write a function of its own for each: (city: string) => fn(city), or override " +
        `the method in each subclass: override ${first.name}(item: Item) { return super.${first.name}(item); }.`,
    ];
  });
}
