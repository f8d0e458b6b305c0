import { resolve } from "node:path";
import { declareTools } from "../code/declarations.ts";
import { openCompiler } from "../sources/compiler/index.ts";
import { displayPath, formatMessage } from "./excerpt.ts";
import { assertModule } from "./load-module.ts";
import { hasNothing, noToolsIn } from "./no-tools.ts";
import { ownScreen } from "./own-screen.ts";
import { listTools } from "./print-tools.ts";
import { inForm, type Form } from "./provider-forms.ts";
import { printable, printableJson, screenOn, type Screen } from "./text.ts";
import { readToolFile, type ToolFile } from "./tool-file.ts";
import { report } from "./read-in-child.ts";
import { watchFiles } from "./watch-files.ts";

/** The options of `skein tools`. */
export interface ToolsFlags {
  readonly json?: boolean;
  readonly openai?: boolean;
  readonly anthropic?: boolean;
  readonly google?: boolean;
  readonly mcp?: boolean;
  readonly declarations?: boolean;
  readonly watch?: boolean;
  /** Tells the process that started this one, instead of printing. */
  readonly report?: boolean;
}

/**
 * Prints the tools of files to standard output; what cannot be expressed, and what the files print, to standard error.
 * @returns whether all was well, and any file had tools
 * @throws ConfigurationError for a file that is not there.
 */
export async function toolsCommand(files: readonly string[], flags: ToolsFlags): Promise<boolean> {
  for (const file of files) await assertModule(file);
  const out = ownScreen();
  if (flags.watch) {
    return watchFiles(files, (read) => void print(read, flags, out));
  }
  const compiler = await openCompiler();
  compiler.open(files.map((file) => resolve(file)));
  const read: ToolFile[] = [];
  for (const file of files) read.push(await readToolFile(compiler, file));
  if (flags.report) for (const file of read) await report(file);
  return flags.report === true || print(read, flags, out);
}

/** The requested format; `undefined` for the listing. */
function formOf(flags: ToolsFlags): Form | undefined {
  const forms = ["json", "openai", "anthropic", "google", "mcp"] as const;
  return forms.find((form) => flags[form]);
}

function print(files: readonly ToolFile[], flags: ToolsFlags, out: Screen): boolean {
  const errors = screenOn(process.stderr);
  const tools = files.flatMap((file) => file.tools);
  const problems = files.flatMap((file) => [...file.problems, ...unusable(file)]);
  const form = formOf(flags);
  if (form !== undefined) out.write(`${printableJson(inForm(form, tools, displayPath))}\n`);
  else if (flags.declarations) out.write(printable(declareTools(tools).text));
  else if (tools.length > 0) out.write(listTools(tools, out));
  for (const problem of problems) errors.write(formatMessage({ level: "error", ...problem }, errors));
  for (const file of files) {
    for (const warning of new Set(file.warnings)) errors.write(`warning: ${printable(warning)}\n`);
    if (hasNothing(file)) errors.write(`${printable(noToolsIn(file.file))}\n`);
    for (const { name, toolCount } of file.agents)
      if (toolCount === 0) errors.write(`The agent ${printable(name)} has no tools.\n`);
  }
  return !files.every(hasNothing) && problems.every(({ level }) => level === "warn");
}

function unusable({ tools }: ToolFile): ToolFile["problems"] {
  return tools.flatMap(({ name, source, unusable }) =>
    unusable === undefined ? [] : [{ tool: name, place: source.place, message: unusable }],
  );
}
