import { isPlainObject } from "../base/util/json.ts";
import { printType, type TypeStyle } from "../schema/print-type.ts";
import type { JsonSchema } from "../schema/types.ts";
import { isReservedType } from "./reserved-types.ts";

interface NamedType {
  readonly name: string;
  text: string;
  /** The names of the types in it. */
  readonly types: Set<string>;
}

/** Gives the definitions of schemas names as types: what is the same in several tools has one. */
export class TypeNames {
  /** By what a definition says, with all that it refers to. */
  readonly #byMeaning = new Map<string, NamedType>();
  readonly #byName = new Map<string, NamedType>();

  /** All types, in the order in which they were named. */
  get declarations(): readonly string[] {
    return [...this.#byName.values()].map(({ text }) => text);
  }

  /** The types of these names, and all that they refer to. */
  declarationsFor(names: ReadonlySet<string>): readonly string[] {
    const all = new Set(names);
    // A set that grows while it is walked.
    for (const name of all) for (const inner of this.#byName.get(name)?.types ?? []) all.add(inner);
    return [...this.#byName.values()].flatMap(({ name, text }) => (all.has(name) ? [text] : []));
  }

  /**
   * The name of what a reference in a schema refers to.
   * @param types - Receives the name.
   */
  nameOf(reference: string, root: JsonSchema, tool: string, place: string, types: Set<string>): string {
    const definition = reference === "#" ? root : definitionOf(reference, root);
    if (!isPlainObject(definition)) return "unknown";
    const meaning = meaningOf(reference, root);
    const earlier = this.#byMeaning.get(meaning);
    if (earlier) {
      types.add(earlier.name);
      return earlier.name;
    }
    const wish =
      reference === "#" ? `${asName(tool)}${place}` : asName(decodeURIComponent(lastOf(reference)));
    const named: NamedType = { name: this.#free(wish, asName(tool)), text: "", types: new Set() };
    this.#byMeaning.set(meaning, named);
    this.#byName.set(named.name, named);
    const style: TypeStyle = {
      isCode: true,
      nameOf: (inner) => this.nameOf(inner, root, tool, place, named.types),
    };
    named.text = `type ${named.name} = ${printType(definition, style)};`;
    types.add(named.name);
    return named.name;
  }

  #free(wish: string, tool: string): string {
    const isFree = (name: string): boolean => !isReservedType(name) && !this.#byName.has(name);
    if (isFree(wish)) return wish;
    const long = `${tool}${wish}`;
    if (isFree(long)) return long;
    let number = 2;
    while (!isFree(`${long}${number}`)) number++;
    return `${long}${number}`;
  }
}

/** Definitions of draft 2020-12, and of draft 7. */
function definitionOf(reference: string, root: JsonSchema): unknown {
  const [hash, key = "", name = "", ...more] = reference.split("/");
  if (hash !== "#" || !(key === "$defs" || key === "definitions") || more.length > 0) return undefined;
  const all = root[key];
  const decoded = decodeURIComponent(name).replaceAll("~1", "/").replaceAll("~0", "~");
  return isPlainObject(all) && Object.hasOwn(all, decoded) ? all[decoded] : undefined;
}

function lastOf(reference: string): string {
  return reference.slice(reference.lastIndexOf("/") + 1);
}

/** What a reference comes to, with all that is referred to from there: two of one meaning are one type. */
function meaningOf(reference: string, root: JsonSchema): string {
  const references = new Set([reference]);
  const texts: string[] = [];
  // A set that grows while it is walked.
  for (const each of references) {
    const definition = each === "#" ? root : definitionOf(each, root);
    const text = JSON.stringify(definition) as string | undefined;
    texts.push(`${each} ${text}`);
    for (const [, inner = ""] of (text ?? "").matchAll(/"\$ref":"((?:[^"\\]|\\.)*)"/g)) references.add(inner);
  }
  return texts.toSorted().join("\n");
}

/** A type's name: each word with a capital, and no other characters. */
function asName(text: string): string {
  const words = text.split(/[^A-Za-z0-9_$]+/).filter((word) => word !== "");
  const name = words.map((word) => `${word.charAt(0).toUpperCase()}${word.slice(1)}`).join("");
  return /^[A-Za-z_$]/.test(name) ? name : `Type${name}`;
}
