import { ConfigurationError } from "../../../errors.ts";

/** What stands for `${...}` in a configuration. */
export interface VariableValues {
  /** For `${NAME}` and `${env:NAME}`. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** For `${input:id}`. */
  readonly inputs: Readonly<Record<string, string>>;
  /** For `${workspaceFolder}`. */
  readonly folder: string;
}

const reference = /\$\{([^{}]*)\}/g;

/**
 * A text with its `${NAME}`, `${env:NAME}`, `${NAME:-default}`, `${input:id}`, `${workspaceFolder}` and `${userHome}` replaced.
 * @param place names it in errors.
 * @throws ConfigurationError (code `"missing-variable"`) for one that has no value.
 */
export function expandVariables(text: string, values: VariableValues, place: string): string {
  return text.replaceAll(reference, (whole: string, inner: string) => {
    const value = valueOf(inner, values);
    if (value !== undefined) return value;
    throw new ConfigurationError(`${place} refers to ${whole}, which has no value: ${remedyFor(inner)}.`, {
      code: "missing-variable",
      data: { variable: inner },
    });
  });
}

function valueOf(inner: string, { environment, inputs, folder }: VariableValues): string | undefined {
  const own = (record: Readonly<Record<string, string | undefined>>, name: string): string | undefined =>
    Object.hasOwn(record, name) ? record[name] : undefined;
  if (inner === "workspaceFolder") return folder;
  if (inner === "userHome") return own(environment, "HOME") ?? own(environment, "USERPROFILE");
  if (inner === "pathSeparator" || inner === "/") return folder.includes("\\") ? "\\" : "/";
  if (inner.startsWith("input:")) return own(inputs, inner.slice("input:".length));
  const [, name = "", fallback] = /^(?:env:)?([^:]*)(?::-([^]*))?$/.exec(inner) ?? [];
  // As in a shell, an empty variable has no value where there is a default.
  return fallback === undefined ? own(environment, name) : own(environment, name) || fallback;
}

function remedyFor(inner: string): string {
  if (inner.startsWith("input:")) return `give inputs: { ${JSON.stringify(inner.slice(6))}: "..." }`;
  return `set it in the environment, or give variables: { ... }`;
}
