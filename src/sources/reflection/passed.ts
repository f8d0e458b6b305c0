import type {
  Compiler,
  FunctionDescription,
  FunctionSchema,
  ToolsAtCall,
  ToolTree,
  WrittenPlace,
} from "../compiler/index.ts";
import { SchemaNotFoundError } from "../../errors.ts";
import type { PassedFunction } from "./call-places.ts";
import type { TypedFunction } from "./live-parameters.ts";
import { askCompiler } from "./opened-compiler.ts";
import { changedModules } from "./outdated.ts";
import { failed, problemsOf } from "./remedies.ts";

/** What TypeScript says of functions by the expressions that pass them on. */
export interface PassedDescriptions {
  /** Without those about which the text says nothing: their own code shows more. */
  readonly descriptions: ReadonlyMap<Function, FunctionDescription>;
  /** What the text says where another function runs: nothing but that function's own code shows what it takes. */
  readonly replaced: ReadonlyMap<Function, FunctionSchema>;
  /** What a type says of functions whose parameters have other names: their own code shows what they take. */
  readonly renamed: ReadonlyMap<Function, FunctionSchema>;
  /** Functions whose call may have changed since it was loaded: its text shows nothing of what runs. */
  readonly stale: ReadonlySet<Function>;
  /** The files that decide what a call passes on, by the call's file. */
  readonly dependencies: ReadonlyMap<string, ReadonlySet<string>>;
  /** Where those stand whose own code was looked at: see `CachedSchema`. */
  readonly places: ReadonlyMap<Function, string>;
}

/** Describes functions by the calls that passed them on; with another compiler if its process has ended. Never rejects. */
export async function describePassed(
  functions: ReadonlyMap<Function, PassedFunction>,
): Promise<PassedDescriptions> {
  try {
    const { places, typeOnly, ...described } = await askCompiler((compiler) =>
      describeAll(compiler, functions),
    );
    const passed =
      typeOnly.size === 0
        ? { ...described, places: new Map(), renamed: new Map() }
        : await withLiveParameters(described, typeOnly, functions);
    if (places.size === 0) return { ...passed, replaced: new Map() };
    const { findReplaced } = await import("./replaced.ts");
    const [replaced, descriptions] = takeSchemas(passed.descriptions, await findReplaced(places));
    return { ...passed, descriptions, replaced };
  } catch (error) {
    const errors = [...functions].map(([fn, { file }]) => {
      const place = { fn, text: Function.prototype.toString.call(fn), script: file };
      return [fn, failed(fn, error, place)] as const;
    });
    return {
      descriptions: new Map(errors),
      replaced: new Map(),
      renamed: new Map(),
      stale: new Set(),
      dependencies: new Map(),
      places: new Map(),
    };
  }
}

interface Answers extends Pick<PassedDescriptions, "descriptions" | "stale" | "dependencies"> {
  /** Where functions stand that others may have replaced. */
  readonly places: ReadonlyMap<Function, WrittenPlace>;
  /** Functions that only types identify. */
  readonly typeOnly: ReadonlyMap<Function, TypedFunction>;
}

async function withLiveParameters(
  { dependencies, stale, ...answers }: Omit<Answers, "places" | "typeOnly">,
  typeOnly: Answers["typeOnly"],
  functions: ReadonlyMap<Function, PassedFunction>,
): Promise<Omit<PassedDescriptions, "replaced">> {
  const { findLiveParameters } = await import("./live-parameters.ts");
  const live = await findLiveParameters(typeOnly);
  const files = new Map(dependencies);
  for (const [fn, more] of live.dependencies) {
    const { file } = functions.get(fn) ?? {};
    if (file !== undefined) files.set(file, new Set([...(files.get(file) ?? []), ...more]));
  }
  const [renamed, descriptions] = takeSchemas(
    new Map([...answers.descriptions, ...live.errors]),
    live.renamed,
  );
  return { descriptions, renamed, dependencies: files, stale, places: live.places };
}

/** The schemas of some functions, and what is found of the others. */
function takeSchemas(
  descriptions: ReadonlyMap<Function, FunctionDescription>,
  functions: ReadonlySet<Function>,
): readonly [ReadonlyMap<Function, FunctionSchema>, ReadonlyMap<Function, FunctionDescription>] {
  const schemas = new Map<Function, FunctionSchema>();
  for (const fn of functions) {
    const description = descriptions.get(fn);
    if (description && !(description instanceof SchemaNotFoundError)) schemas.set(fn, description);
  }
  return [schemas, new Map([...descriptions].filter(([fn]) => !schemas.has(fn)))];
}

function describeAll(compiler: Compiler, functions: ReadonlyMap<Function, PassedFunction>): Answers {
  const calls = new Map<string, ToolsAtCall | undefined>();
  const descriptions = new Map<Function, FunctionDescription>();
  const dependencies = new Map<string, Set<string>>();
  const places = new Map<Function, WrittenPlace>();
  const typeOnly = new Map<Function, TypedFunction>();
  const stale = new Set<Function>();
  compiler.open([...new Set([...functions.values()].map(({ file }) => file))]);
  for (const [fn, passed] of functions) {
    const { file, position } = passed;
    const key = `${file}:${position.line}:${position.column}`;
    if (!calls.has(key)) calls.set(key, readCall(compiler, passed));
    const call = calls.get(key);
    const files = dependencies.get(file) ?? new Set([file]);
    for (const each of call?.files ?? []) files.add(each);
    dependencies.set(file, files);
    // What runs may be older than what is written: then the function's own source is held against it.
    const isStale = changedModules(call?.files ?? [], passed.loadedAt).length > 0;
    if (isStale) stale.add(fn);
    const tree = call && !isStale ? treeAt(call, passed) : undefined;
    if (tree === undefined || isOfJavaScript(tree.description, file) || lacksTypes(tree.description))
      continue;
    descriptions.set(fn, tree.description);
    if (tree.description instanceof SchemaNotFoundError) continue;
    if (tree.sourcePlace) places.set(fn, tree.sourcePlace);
    const { typeOnly: by, description: schema, unseen } = tree;
    if (by !== undefined) typeOnly.set(fn, { schema, isWrapped: by === "wrapper", unseen });
  }
  return { descriptions, dependencies, stale, places, typeOnly };
}

/** `undefined` for a file that TypeScript cannot read: the function's own may be another. */
function readCall(compiler: Compiler, { file, position }: PassedFunction): ToolsAtCall | undefined {
  try {
    return compiler.toolsAt(file, position);
  } catch (error) {
    if (error instanceof SchemaNotFoundError) return undefined;
    throw error;
  }
}

/** What stands at the path of a function. A list that has become longer or shorter is not the one in the text. */
function treeAt(
  { arguments: trees }: ToolsAtCall,
  { path: [first, ...keys], length }: PassedFunction,
): (ToolTree & { readonly kind: "function" }) | undefined {
  let tree: ToolTree | null | undefined = typeof first === "number" ? trees[first] : undefined;
  for (const [depth, key] of keys.entries()) {
    if (tree?.kind === "record") tree = tree.entries.get(String(key)) ?? internalMember(tree, String(key));
    else if (tree?.kind !== "list" || typeof key !== "number") return undefined;
    else {
      const isLast = depth === keys.length - 1;
      if (isLast && length !== undefined && length !== tree.items.length) return undefined;
      tree = tree.items[key];
    }
  }
  return tree?.kind === "function" ? tree : undefined;
}

/** Whether a function without parameters is JavaScript that may have lost its name, or that it is private. */
function lacksTypes(description: FunctionDescription): boolean {
  return !(description instanceof SchemaNotFoundError) && description.untypedAt !== undefined;
}

/** What the declaration of a class does not list, or has as a private property, is its own: a toolkit leaves it out. */
function internalMember(
  { entries }: ToolTree & { readonly kind: "record" },
  name: string,
): (ToolTree & { readonly kind: "function" }) | undefined {
  const constructed = entries.get("constructor");
  if (constructed?.kind !== "function" || constructed.description instanceof SchemaNotFoundError)
    return undefined;
  const { members, hiddenMembers } = constructed.description;
  const isHidden = hiddenMembers?.includes(name) === true || members?.includes(name) === false;
  if (!isHidden) return undefined;
  return { kind: "function", description: { name, inputSchema: {}, parameters: [], hidden: true } };
}

/**
 * Whether what lacks types is JavaScript: it may have been made of a source that has them, or be declared elsewhere. One
 * without parameters may have lost its name instead, which its own code shows.
 * @param calledIn - The file of the call that passed it on.
 */
export function isOfJavaScript(description: FunctionDescription, calledIn = ""): boolean {
  if (!(description instanceof SchemaNotFoundError))
    return description.parameters.length === 0 && !description.hidden && /\.[cm]?jsx?$/.test(calledIn);
  const problems = problemsOf(description);
  return problems.some(({ kind, file }) => kind === "untyped" && /\.[cm]?jsx?$/.test(file));
}
