import type * as yaml from "yaml";
import type { Pair, Scalar, YAMLError, YAMLMap } from "yaml";
import { missingPackage } from "../base/options/missing-package.ts";
import { cleanName } from "../base/util/clean-text.ts";
import { closest } from "../base/util/closest.ts";
import { errorMessage } from "../base/util/error-message.ts";
import { parseAllowedTools, type AllowedTool } from "./allowed-tools.ts";
import type { Manifest } from "./skill.ts";

/** The field that takes something away. */
const limitingField = "allowed-tools";

/** The field of some products by which a skill is for people alone. */
const hiddenField = "disable-model-invocation";

/** The most characters of a name and of a description, in the format. */
const longestName = 64;
const longestDescription = 1_024;

/** The most characters of a description that models see: public skills have more than the format says. */
const longestVisible = 2_000;

/** The most characters of what a skill needs. */
const longestCompatibility = 500;

/** The longest front matter, in characters. */
const longestFrontMatter = 50_000;

/** A mistake in a `SKILL.md`. */
export interface SkillProblem {
  /** The line in the file, from 1. */
  readonly line: number;
  readonly problem: string;
}

/** What a `SKILL.md` without mistakes has. */
export interface ValidManifest {
  readonly manifest: Manifest;
  /** What stands below the front matter, and the line that it begins with. */
  readonly body: string;
  readonly bodyLine: number;
  readonly warnings: readonly SkillProblem[];
}

/** A `SKILL.md`, read: what it says, or the mistakes in it. */
export type ReadManifest = ValidManifest | { readonly problems: readonly SkillProblem[] };

/** The package that reads YAML. */
export type Yaml = typeof yaml;

/**
 * The package that reads front matter.
 * @throws ConfigurationError (`missing-package`) without it.
 */
export async function loadYaml(): Promise<Yaml> {
  try {
    return await import("yaml");
  } catch (cause) {
    throw missingPackage("skills() needs", "yaml", cause);
  }
}

/** Reads a `SKILL.md`. `folderName` is the name of the folder that it is in. */
export function readManifest(yaml: Yaml, text: string, folderName: string): ReadManifest {
  const lines = text.split(/\r?\n/);
  const isEdge = (line: string): boolean => /^---[ \t]*$/.test(line);
  if (!isEdge(lines[0] ?? ""))
    return wrong(1, 'it must begin with front matter. Put "---", name, description and "---" at its top.');
  const end = lines.findIndex((line, index) => index > 0 && isEdge(line));
  if (end < 0) return wrong(1, 'the front matter has no end. Put a line "---" below it.');
  const source = lines.slice(1, end).join("\n");
  if (source.length > longestFrontMatter)
    return wrong(1, `the front matter is longer than ${longestFrontMatter} characters. Shorten it.`);
  const reader = new FieldReader(yaml, source, folderName);
  const manifest = reader.read();
  if (!manifest) return { problems: reader.problems };
  // Empty lines at the edges say nothing.
  const first = lines.findIndex((line, index) => index > end && line.trim() !== "");
  const bodyLine = first < 0 ? end + 1 : first;
  const body = lines.slice(bodyLine).join("\n").trimEnd();
  return { manifest, body, bodyLine: bodyLine + 1, warnings: reader.warnings };
}

function wrong(line: number, problem: string): ReadManifest {
  return { problems: [{ line, problem }] };
}

class FieldReader {
  readonly problems: SkillProblem[] = [];
  readonly warnings: SkillProblem[] = [];
  readonly #yaml: Yaml;
  readonly #source: string;
  readonly #folderName: string;
  readonly #lines: yaml.LineCounter;

  constructor(yaml: Yaml, source: string, folderName: string) {
    this.#yaml = yaml;
    this.#source = source;
    this.#folderName = folderName;
    this.#lines = new yaml.LineCounter();
  }

  read(): Manifest | undefined {
    const map = this.#parse();
    if (!map) return undefined;
    for (const pair of map.items) this.#checkField(pair);
    const name = this.#name(map);
    const description = this.#description(map);
    const compatibility = this.#compatibility(map);
    const allowedTools = this.#allowedTools(map);
    const hidden = this.#pair(map, hiddenField)?.value;
    if (this.problems.length > 0 || name === undefined || description === undefined) return undefined;
    return {
      name,
      description,
      ...(compatibility !== undefined && { compatibility }),
      ...(allowedTools && { allowedTools }),
      isHidden: this.#textIn(hidden) === "true",
    };
  }

  /** All plain values are texts, as in the format's own validator: `version: 1.0` is not a number. */
  #parse(): YAMLMap | undefined {
    try {
      const { parseDocument, isMap } = this.#yaml;
      const document = parseDocument(this.#source, { schema: "failsafe", lineCounter: this.#lines });
      const [error] = document.errors;
      if (error) this.#yamlProblem(error);
      else if (isMap(document.contents)) return document.contents;
      else this.#problem(1, "the front matter must have fields. Write name: and description: in it.");
    } catch (error) {
      this.#problem(1, `the front matter cannot be read: ${errorMessage(error)}.`);
    }
    return undefined;
  }

  #yamlProblem({ message, code, pos: [place] }: YAMLError): void {
    const [words = ""] = message.split("\n");
    const text = words.replace(/ at line \d+, column \d+:?$/, "").replace(/\.$/, "");
    const fix =
      code === "BLOCK_AS_IMPLICIT_KEY" || code === "MULTILINE_IMPLICIT_KEY" || code === "UNEXPECTED_TOKEN"
        ? " Put the text in quotes, or below a line with >-."
        : "";
    this.#problem(this.#lineAt(place), `invalid YAML: ${text}.${fix}`);
  }

  /** Products have fields of their own, which are ignored. One that is nearly `allowed-tools` would be a limit that is not there. */
  #checkField({ key }: Pair): void {
    const name = this.#textIn(key) ?? "";
    const isAsLong = Math.abs(name.length - limitingField.length) <= 2;
    if (name === limitingField || !isAsLong || closest(name, [limitingField]).length === 0) return;
    this.#problem(this.#lineOf(key), `unknown field "${cleanName(name)}". Did you mean "${limitingField}"?`);
  }

  #name(map: YAMLMap): string | undefined {
    const text = this.#text(map, "name");
    if (text === undefined) return undefined;
    const name = text.normalize("NFKC");
    const line = this.#lineOf(this.#pair(map, "name")?.value);
    const fix = `Write small letters, digits and single hyphens, at most ${longestName}: pdf-forms.`;
    const isName = /^[\p{L}\p{N}]+(?:-[\p{L}\p{N}]+)*$/u.test(name) && name === name.toLowerCase();
    if (!isName || name.length > longestName) {
      this.#problem(line, `"${cleanName(name)}" cannot be a name. ${fix}`);
      return undefined;
    }
    if (name !== this.#folderName.normalize("NFKC"))
      this.warnings.push({
        line,
        problem: `the name "${name}" is not that of its folder, "${cleanName(this.#folderName)}". Rename one of them.`,
      });
    return name;
  }

  #description(map: YAMLMap): string | undefined {
    const text = this.#text(map, "description");
    if (text === undefined) return undefined;
    const line = this.#lineOf(this.#pair(map, "description")?.value);
    if (text.length > longestDescription)
      this.warnings.push({
        line,
        problem: `the description has ${text.length} characters. The format has at most ${longestDescription}, and models see ${longestVisible}. Shorten it.`,
      });
    const description = cleanName(text.replaceAll(/\s+/g, " "), longestVisible);
    if (description === "") this.#problem(line, "the description has nothing that can be seen. Write one.");
    return description;
  }

  #compatibility(map: YAMLMap): string | undefined {
    if (!this.#pair(map, "compatibility")) return undefined;
    const text = this.#text(map, "compatibility");
    return text === undefined ? undefined : cleanName(text, longestCompatibility);
  }

  #allowedTools(map: YAMLMap): readonly AllowedTool[] | undefined {
    const pair = this.#pair(map, limitingField);
    if (!pair) return undefined;
    const { isSeq } = this.#yaml;
    const items: readonly unknown[] = isSeq(pair.value) ? pair.value.items : [pair.value];
    const texts = items.map((item) => this.#textIn(item));
    const line = this.#lineOf(pair.value ?? pair.key);
    if (texts.includes(undefined))
      this.#problem(line, "allowed-tools must be a text or a list of texts, such as: Read Bash(git:*).");
    return texts.flatMap((text) => parseAllowedTools(text ?? ""));
  }

  #pair(map: YAMLMap, field: string): Pair | undefined {
    return map.items.find(({ key }) => this.#textIn(key) === field);
  }

  /** The text of a field, without space around it. */
  #text(map: YAMLMap, field: string): string | undefined {
    const pair = this.#pair(map, field);
    const text = this.#textIn(pair?.value)?.trim();
    if (text) return text;
    const problem = pair ? `${field} must be a text, and not empty.` : `${field} is missing.`;
    this.#problem(pair ? this.#lineOf(pair.value ?? pair.key) : 1, `${problem} Write ${field}: ...`);
    return undefined;
  }

  #textIn(node: unknown): string | undefined {
    const { isScalar } = this.#yaml;
    return isScalar(node) && typeof node.value === "string" ? node.value : undefined;
  }

  #lineOf(node: unknown): number {
    const { isNode } = this.#yaml;
    const range: Scalar["range"] = isNode(node) ? node.range : undefined;
    return range ? this.#lineAt(range[0]) : 1;
  }

  /** The first line of the file is not in the source. */
  #lineAt(place: number): number {
    return this.#lines.linePos(place).line + 1;
  }

  #problem(line: number, problem: string): void {
    this.problems.push({ line, problem });
  }
}
