import { missingOf } from "../connectors/mcp/presets/settings.ts";
import { type McpPreset, presetTable } from "../connectors/mcp/presets/table.ts";
import { type Screen, screenOn } from "./text.ts";

/** The options of `skein mcp list`. */
export interface McpListFlags {
  readonly json?: boolean;
}

/** Prints the servers that start with one line, and of what each needs whether it is there. */
export function mcpListCommand({ json = false }: McpListFlags): void {
  const screen = screenOn(process.stdout);
  const presets = Object.entries(presetTable);
  if (json) {
    const listed = presets.map(([name, preset]) => ({ name, ...preset, missing: missingFrom(preset) }));
    screen.write(`${JSON.stringify(listed, undefined, 2)}\n`);
  } else {
    screen.write(`${presets.map(([name, preset]) => describePreset(name, preset, screen)).join("\n")}\n`);
    screen.write(`In a program: import { presets } from "skein/mcp", then tools: [presets.memory()].\n`);
  }
}

/** The folders of a preset are for the program to name. */
function missingFrom(preset: McpPreset): ReturnType<typeof missingOf> {
  return missingOf(preset, preset.folders === undefined ? {} : { args: ["."] });
}

function describePreset(name: string, preset: McpPreset, screen: Screen): string {
  const { about, command, args = [], url, folders = "", variables = {}, needs = [], docs } = preset;
  const start = url ?? [command, ...args, folders].join(" ");
  const missing = missingFrom(preset);
  const lacks = new Set(missing.map(({ what, variable = what }) => variable));
  const settled = [command, ...Object.keys(variables)].filter(
    (what) => what !== undefined && !lacks.has(what),
  );
  const isOptional = (what: string): boolean => !process.env[what] && Object.hasOwn(variables, what);
  const lines = [
    `${screen.paint("bold", name)}  ${about}`,
    `  ${screen.paint("dim", start.trimEnd())}`,
    ...missing.map(({ message }) => `  ${screen.paint("red", "-")} ${message}`),
    ...settled.map((what = "") =>
      isOptional(what)
        ? `  ${screen.paint("dim", "?")} ${what} may be set: ${variables[what]?.about}.`
        : `  ${screen.paint("green", "+")} ${what}`,
    ),
    ...needs.map((need) => `  ${screen.paint("dim", "?")} It needs ${need}.`),
    `  ${screen.paint("dim", docs)}`,
  ];
  return `${lines.join("\n")}\n`;
}
