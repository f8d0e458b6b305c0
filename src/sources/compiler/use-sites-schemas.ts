import { toPlacementSchema } from "../../schema/placement-schema.ts";
import type { FunctionDescription } from "./functions.ts";
import type { ToolTree } from "./use-sites-attachments.ts";

/** The schemas of the functions in a value: see `Attachment` of `skein/attach`, which reads it when the program runs. */
export type SchemaTree = string | readonly (SchemaTree | null)[] | { readonly [name: string]: SchemaTree };

/**
 * The schemas of described functions, as builds write them.
 * @param refuse - Called with the error of each function that has no schema.
 */
export function schemasOf(tree: ToolTree, refuse: (error: Error) => void): SchemaTree | null {
  if (tree.kind === "function") {
    const { description } = tree;
    if (!(description instanceof Error)) return JSON.stringify(description);
    refuse(description);
    return null;
  }
  if (tree.kind === "list") {
    const items = tree.items.map((item) => item && schemasOf(item, refuse));
    return items.every((item) => item === null) ? null : items;
  }
  const entries = [...tree.entries].flatMap(([name, inner]) => {
    const schema = schemasOf(inner, refuse);
    return schema === null ? [] : [[name, schema] as const];
  });
  return entries.length === 0 ? null : Object.fromEntries(entries);
}

/**
 * What a function with a schema of its own, `tool(fn, { input })`, still needs: how its arguments are placed, as JSON.
 * `undefined` where its parameters are not known.
 */
export function placementOf(description: FunctionDescription): string | undefined {
  if (!(description instanceof Error)) return JSON.stringify(toPlacementSchema(description));
  const { placement } = description.data;
  return placement === undefined ? undefined : JSON.stringify(placement);
}
