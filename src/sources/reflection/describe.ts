import {
  callId,
  certainPlaces,
  passingCall,
  type Call,
  type FunctionOrigin,
  type PassedFunction,
} from "./call-places.ts";
import type { FunctionDescription, FunctionSchema } from "../compiler/index.ts";
import { isJavaScript } from "../compiler/diagnostics.ts";
import { SchemaNotFoundError } from "../../errors.ts";
import { withoutLeadingParameters } from "../compiler/bound.ts";
import { openCache, type CachedSchema, type FunctionKey, type SchemaCache } from "./cache.ts";
import { broken } from "./failures.ts";
import { hashOf } from "./hash.ts";
import type { Thoroughness } from "./inspector.ts";
import { look, type Located } from "./look.ts";
import { loadedAt } from "./outdated.ts";
import { doubtFiles, includedFolders, isSettled, noteFiles } from "./opened-compiler.ts";
import { findMoved } from "./running-places.ts";

/** What is found of functions. */
export type Descriptions = ReadonlyMap<Function, FunctionDescription>;

/** Functions, and the calls that passed them on. */
type Origins = ReadonlyMap<Function, FunctionOrigin | undefined>;

/** One search for functions. */
interface Batch {
  readonly origins: Origins;
  readonly cache: SchemaCache;
  readonly descriptions: Map<Function, FunctionDescription>;
  /** How functions are called in the cache: as the first look saw them, since the next process starts with that. */
  readonly keys: Map<Function, FunctionKey>;
  /** What the schemas of a source file depend on. */
  readonly dependencies: Map<string, ReadonlySet<string>>;
  /** The functions of which their own JavaScript says too little. */
  readonly undescribed: Map<Function, Undescribed>;
  /** What calls say of functions that others have replaced. */
  readonly replaced: Map<Function, FunctionSchema>;
  /** What calls say of functions whose parameters have other names. */
  readonly renamed: Map<Function, Renamed>;
}

interface Renamed {
  readonly expected: FunctionSchema;
  /** What its own description is in the cache; `undefined` where that would not last. */
  readonly key: FunctionKey | undefined;
  readonly runsAt: string | undefined;
}

interface Undescribed {
  readonly located: Located;
  /** What it says itself; `undefined` where an earlier process has seen that this is too little. */
  readonly own: FunctionDescription | undefined;
}

/**
 * Describes functions, from the cache as far as it has them: first by the calls that passed them on; those of which a call
 * does not show, by their own source; those of JavaScript without types, by declarations. At the sources, the quick way to
 * script names comes first; for what it leaves open, the debugger's, which also knows source maps and texts. Never rejects.
 */
export async function describeBatch(functions: Origins): Promise<Descriptions> {
  try {
    return await describeAll(functions);
  } catch (error) {
    return new Map([...functions.keys()].map((fn) => [fn, broken(fn, error)]));
  }
}

/** Describes functions by the calls that passed them on, and by nothing else: those that a call does not show are left out. Never rejects. */
export async function describeByCalls(
  functions: ReadonlyMap<Function, FunctionOrigin>,
): Promise<Descriptions> {
  try {
    const startedAt = Date.now();
    const batch = openBatch(functions);
    await searchCalls(batch);
    const isOpen = (fn: Function): boolean => batch.replaced.has(fn) || batch.renamed.has(fn);
    await searchSources(batch, new Map([...functions].filter(([fn]) => isOpen(fn))));
    save(batch, startedAt);
    return batch.descriptions;
  } catch (error) {
    return new Map([...functions.keys()].map((fn) => [fn, broken(fn, error)]));
  }
}

function openBatch(origins: Origins): Batch {
  return {
    origins,
    cache: openCache(),
    descriptions: new Map(),
    keys: new Map(),
    dependencies: new Map(),
    undescribed: new Map(),
    replaced: new Map(),
    renamed: new Map(),
  };
}

function save({ cache, dependencies }: Batch, startedAt: number): void {
  for (const files of dependencies.values()) noteFiles(files, startedAt);
  const included = includedFolders();
  cache.save((file) => {
    const files = dependencies.get(file);
    return files !== undefined && isSettled(files, included, startedAt) ? files : undefined;
  }, included);
}

async function describeAll(functions: Origins): Promise<Descriptions> {
  const startedAt = Date.now();
  const batch = openBatch(functions);
  await searchCalls(batch);
  await searchSources(batch, functions);
  save(batch, startedAt);
  return batch.descriptions;
}

/** Describes functions that no call identifies, by their own source or by declarations. */
async function searchSources(batch: Batch, functions: Origins): Promise<void> {
  const isOpen = (fn: Function): boolean => !batch.descriptions.has(fn) && !batch.undescribed.has(fn);
  const open = (): readonly Function[] => [...functions.keys()].filter(isOpen);
  if (open().length > 0) await search(batch, open(), "profiler");
  if (open().length > 0) await search(batch, open(), "debugger");
  if (batch.undescribed.size > 0) await searchDeclarations(batch);
  if (batch.replaced.size + batch.renamed.size === 0) return;
  const { describeRenamed, describeReplaced } = await import("./replaced.ts");
  for (const [fn, expected] of batch.replaced) {
    batch.descriptions.set(fn, describeReplaced(fn, expected, batch.descriptions.get(fn)));
  }
  for (const [fn, { expected, key, runsAt }] of batch.renamed) {
    const description = describeRenamed(fn, expected, batch.descriptions.get(fn));
    batch.descriptions.set(fn, description);
    const isLasting = runsAt !== undefined && !(description instanceof SchemaNotFoundError);
    if (isLasting) addToCache(batch.cache, key, { ...description, runsAt });
  }
}

/** The call that passed a function on, and what the cache has of it. */
interface Passing {
  readonly call: Call;
  readonly origin: FunctionOrigin;
  readonly key: FunctionKey;
  /** `undefined` where nothing is known yet. */
  readonly cached: CachedSchema | null | undefined;
}

function readPassings({ cache, origins }: Batch): ReadonlyMap<Function, Passing> {
  const passings = new Map<Function, Passing>();
  const calls = new Map<object, Call>();
  for (const [fn, origin] of origins) {
    if (origin === undefined) continue;
    const call = calls.get(origin.calledAt) ?? passingCall(origin);
    if (call === undefined) continue;
    calls.set(origin.calledAt, call);
    const id = hashOf(
      JSON.stringify(["passed", ...callId(call), origin.path, origin.length, fn.name, String(fn)]),
    );
    const key = { file: call.place.file, id };
    passings.set(fn, { call, origin, key, cached: cache.find(key, loadedAt(call.place)) });
  }
  return passings;
}

/** Takes what the cache has; the rest is unknown, as is the description of another function with the same text. */
async function takeCached(
  { descriptions }: Batch,
  passings: ReadonlyMap<Function, Passing>,
): Promise<ReadonlyMap<Function, Passing>> {
  const doubtful = new Map<Function, CachedSchema>();
  for (const [fn, { cached }] of passings) if (cached?.runsAt !== undefined) doubtful.set(fn, cached);
  const moved = doubtful.size === 0 ? undefined : await findMoved(doubtful);
  const unknown = new Map<Function, Passing>();
  for (const [fn, passing] of passings) {
    const { cached } = passing;
    if (cached === undefined || moved?.has(fn)) unknown.set(fn, passing);
    else if (cached !== null) {
      const { runsAt: _place, ...schema } = cached;
      descriptions.set(fn, schema);
    }
  }
  return unknown;
}

/** Describes functions by the calls that passed them on. */
async function searchCalls(batch: Batch): Promise<void> {
  const unknown = await takeCached(batch, readPassings(batch));
  if (unknown.size === 0) return;
  const places = await certainPlaces(new Set([...unknown.values()].map(({ call }) => call)));
  const passed = new Map<Function, PassedFunction>();
  for (const [
    fn,
    {
      call,
      origin: { path, length },
    },
  ] of unknown) {
    const place = places.get(call);
    if (place?.position === undefined) continue;
    const { file, position } = place;
    passed.set(fn, { file, position, path, length, loadedAt: loadedAt(place) });
  }
  // A start that finds everything in the cache does without, and so does one whose calls show nothing.
  if (passed.size === 0) return;
  const { describePassed } = await import("./passed.ts");
  const { descriptions, replaced, renamed, stale, dependencies, places: live } = await describePassed(passed);
  addDependencies(batch, dependencies);
  for (const [fn, expected] of replaced) batch.replaced.set(fn, expected);
  for (const [fn, { file }] of passed) {
    if (replaced.has(fn)) continue;
    const ownKey = unknown.get(fn)?.key;
    const key = ownKey?.file === file && !stale.has(fn) ? ownKey : undefined;
    const runsAt = live.get(fn);
    const expected = renamed.get(fn);
    if (expected !== undefined) {
      batch.renamed.set(fn, { expected, key, runsAt });
      continue;
    }
    const description = descriptions.get(fn);
    if (description !== undefined) batch.descriptions.set(fn, description);
    if (description instanceof SchemaNotFoundError) doubtFiles();
    else {
      // A call that does not show it need not be read again.
      const schema = description && { ...description, ...(runsAt !== undefined && { runsAt }) };
      addToCache(batch.cache, key, schema ?? null);
    }
  }
}

function addDependencies(batch: Batch, dependencies: ReadonlyMap<string, ReadonlySet<string>>): void {
  for (const [file, files] of dependencies) {
    batch.dependencies.set(file, new Set([...(batch.dependencies.get(file) ?? []), ...files]));
  }
}

function addToCache(cache: SchemaCache, key: FunctionKey | undefined, schema: CachedSchema | null): void {
  if (key !== undefined) cache.add(key, schema);
}

async function search(
  batch: Batch,
  functions: readonly Function[],
  thoroughness: Thoroughness,
): Promise<void> {
  const unknown: Located[] = [];
  for (const each of await look(functions, thoroughness)) {
    if (!("source" in each)) {
      if (each.error !== undefined) batch.descriptions.set(each.fn, each.error);
    } else {
      const schema = findInCache(batch, each);
      if (schema === undefined) unknown.push(each);
      else if (schema === null || isDoubtful(batch, each, schema))
        batch.undescribed.set(each.fn, { located: each, own: schema ?? undefined });
      else batch.descriptions.set(each.fn, withoutLeadingParameters(schema, each.inspected.boundArguments));
    }
  }
  if (unknown.length === 0) return;
  // A start that finds everything in the cache does without.
  const { compileFunctions } = await import("./compile.ts");
  const compiled = await compileFunctions(unknown, thoroughness === "debugger");
  addDependencies(batch, compiled.dependencies);
  for (const each of unknown) {
    const description = compiled.descriptions.get(each.fn);
    if (compiled.undescribed.has(each.fn) || isDoubtful(batch, each, description)) {
      batch.undescribed.set(each.fn, { located: each, own: description });
      addToCache(batch.cache, batch.keys.get(each.fn), null);
    } else if (description !== undefined) settle(batch, each, description);
  }
}

/** Describes functions by declarations; those of which there are none are what their own source says. */
async function searchDeclarations(batch: Batch): Promise<void> {
  const places = [...batch.undescribed].map(([fn, { located }]) => {
    const origin = batch.origins.get(fn);
    return [
      fn,
      { script: located.source.script, caller: origin && passingCall(origin)?.place.file },
    ] as const;
  });
  const { describeDeclared } = await import("./declared.ts");
  const { descriptions, dependencies } = await describeDeclared(new Map(places), batch.cache);
  addDependencies(batch, dependencies);
  for (const [fn, description] of descriptions) batch.descriptions.set(fn, description);
  const refused = [...batch.undescribed].filter(([fn]) => !descriptions.has(fn));
  const unexplained = refused.flatMap(([, { located, own }]) => (own === undefined ? [located] : []));
  const explained = await explain(unexplained);
  for (const [fn, { located, own }] of refused) {
    const description = own ?? explained.get(fn);
    if (description !== undefined) settle(batch, located, description);
  }
}

/** What the sources of functions say. */
async function explain(functions: readonly Located[]): Promise<Descriptions> {
  if (functions.length === 0) return new Map();
  const { compileFunctions } = await import("./compile.ts");
  return (await compileFunctions(functions, true)).descriptions;
}

/** `null` for a function of which its source says too little. */
function findInCache(
  { cache, keys }: Batch,
  { fn, inspected, location, source }: Located,
): FunctionSchema | null | undefined {
  const id = hashOf(JSON.stringify([fn.name, inspected.text, location.url, location.line, location.column]));
  const key = keys.get(fn) ?? { file: source.file, id };
  keys.set(fn, key);
  return cache.find(key, loadedAt(source));
}

/** Whether a toolkit has to know more of a method than its JavaScript shows: declarations may say that it is private. */
function isDoubtful(
  { origins }: Batch,
  { fn, source }: Located,
  description: FunctionDescription | null | undefined,
): boolean {
  if (!description || description instanceof SchemaNotFoundError || description.public) return false;
  return isJavaScript(source.file) && origins.get(fn)?.isMethod === true;
}

function settle(batch: Batch, located: Located, description: FunctionDescription): void {
  const { cache, keys, descriptions } = batch;
  const { fn, inspected } = located;
  if (description instanceof SchemaNotFoundError) {
    descriptions.set(fn, description);
    doubtFiles();
    return;
  }
  descriptions.set(fn, withoutLeadingParameters(description, inspected.boundArguments));
  // What no declaration says today, one may say tomorrow.
  if (!isDoubtful(batch, located, description)) addToCache(cache, keys.get(fn), description);
}
