import type { Resource, SchemaNode } from "./check.ts";
import { applicators, definitions, type Dialect, dialectOf } from "./dialects.ts";
import { invalidSchema } from "./invalid-schema.ts";
import { resolvePointer } from "./references.ts";
import type { CompileOptions, JsonSchema } from "./types.ts";
import { isObject } from "../base/util/json.ts";

/** The base of references in a document that has no identifier. */
const anonymous = "schema:/";

/** How many schemas of one document may stand one within another: checks recurse where schemas do. */
const maxNesting = 300;

/** Where a schema stands. */
export type SchemaPlace = Pick<SchemaNode, "resource" | "at" | "depth">;

/** All documents there are: their subschemas, and what references in them name. */
export interface Library {
  /** The node of a schema; one that stands in no document is taken as a part of the root. */
  nodeOf(schema: JsonSchema): SchemaNode;
  /** What a reference names that stands at `from`; `undefined` if nothing. */
  find(reference: string, from: SchemaPlace): unknown;
}

/** A library of `root` and the documents in `options`, which are read when first needed. */
export function newLibrary(
  root: JsonSchema,
  options: CompileOptions,
  newNode: (schema: JsonSchema, place: SchemaPlace) => SchemaNode,
): Library {
  const nodes = new Map<unknown, SchemaNode>();
  const resources = new Map<string, Resource>();
  let unread = Object.entries(options.schemas ?? {});

  const main = newResource(root, anonymous, () => true);
  takeIn(root, { resource: main, at: "#", depth: 0 });

  function newResource(schema: JsonSchema, uri: string, around: Dialect): Resource {
    const knows = dialectOf(schema["$schema"], options) ?? around;
    const resource = { uri, schema, knows, anchors: new Map(), dynamicAnchors: new Map() };
    if (!resources.has(uri)) resources.set(uri, resource);
    return resource;
  }

  /** Makes a node of `start` and each schema within, without recursion: it may be nested however deeply. */
  function takeIn(start: unknown, place: SchemaPlace): void {
    const queue: (readonly [schema: unknown, SchemaPlace])[] = [[start, place]];
    for (let next = queue.pop(); next; next = queue.pop()) {
      const [schema, { at, depth, resource: around }] = next;
      if (!isObject(schema) || nodes.has(schema)) continue;
      if (depth > maxNesting) invalidSchema(at, "is nested too deeply");
      const resource = identify(schema, around);
      nodes.set(schema, newNode(schema, { resource, at, depth }));
      for (const [keyword, operand] of Object.entries(schema)) {
        const add = (part: unknown, below: string): unknown =>
          queue.push([part, { resource, at: `${at}/${keyword}${below}`, depth: depth + 1 }]);
        if (applicators.has(keyword) && !Array.isArray(operand)) add(operand, "");
        else if (applicators.has(keyword) || definitions.has(keyword))
          for (const [key, part] of Object.entries(operand ?? {})) add(part, `/${key}`);
      }
    }
  }

  /** The resource that `schema` belongs to, which may begin with it. */
  function identify(schema: JsonSchema, around: Resource): Resource {
    const { $id, $anchor, $dynamicAnchor } = schema;
    let resource = around;
    if (typeof $id === "string" && around.knows("$id", schema)) {
      const [uri, fragment] = locate($id, around.uri);
      if (uri !== around.uri) resource = newResource(schema, uri, around.knows);
      resource.anchors.set(fragment, schema);
    }
    if (!resource.knows("$anchor", schema)) return resource;
    if (typeof $anchor === "string") resource.anchors.set($anchor, schema);
    if (typeof $dynamicAnchor !== "string") return resource;
    resource.anchors.set($dynamicAnchor, schema);
    resource.dynamicAnchors.set($dynamicAnchor, schema);
    return resource;
  }

  function readDocuments(): void {
    const documents = unread;
    unread = [];
    for (const [address, schema] of documents) {
      const [uri] = locate(address, anonymous);
      takeIn(schema, { resource: newResource(schema, uri, main.knows), at: `${uri}#`, depth: 0 });
      // A document is found under the address it was added with, and under its own identifier.
      const { resource } = nodeOf(schema);
      if (resources.get(uri)?.schema === schema) resources.set(uri, resource);
    }
  }

  function nodeOf(schema: JsonSchema): SchemaNode {
    const node = nodes.get(schema);
    if (node) return node;
    takeIn(schema, { resource: main, at: "#", depth: 0 });
    return nodeOf(schema);
  }

  function find(reference: string, from: SchemaPlace): unknown {
    const [uri, fragment] = locate(reference, from.resource.uri);
    if (!resources.has(uri)) readDocuments();
    const resource = resources.get(uri);
    if (!resource || fragment === "") return resource?.schema;
    if (!fragment.startsWith("/")) return resource.anchors.get(fragment);
    const at = `#${fragment}`;
    const target = resolvePointer(resource.schema, at);
    takeIn(target, { resource, at, depth: fragment.split("/").length });
    return target;
  }
  return { nodeOf, find };
}

/** A reference as an absolute URI and its fragment. What cannot be resolved stays as it is. */
function locate(reference: string, base: string): readonly [uri: string, fragment: string] {
  // Parsing would drop line breaks from a pointer.
  if (reference.startsWith("#")) return [base, reference.slice(1)];
  const [uri = "", fragment = ""] = (URL.parse(reference, base)?.href ?? reference).split("#");
  return [uri, fragment];
}
